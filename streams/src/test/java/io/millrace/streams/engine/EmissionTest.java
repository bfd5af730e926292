package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.engine.island.Later;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.TestSink;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a stage emits: in which order it arrives, and when the user's iterators and actions are called. */
@Behaviour("INT-1")
final class EmissionTest extends EngineTest {
    @Test
    void emittedElementsAreDeliveredBeforeTheStageCompletes() throws Exception {
        var source = TestStages.<Integer, NotUsed>source(shape -> new LogicAndValue<>(
                new GraphStageLogic(shape) {
                    {
                        setHandler(shape.out(), new OutHandler() {
                            @Override
                            public void onPull() {
                                throw new IllegalStateException("the emission takes the demand");
                            }
                        });
                    }

                    @Override
                    public void preStart() {
                        emit(shape.out(), 1);
                        emitAll(shape.out(), List.of(2, 3).iterator());
                        emit(shape.out(), 4);
                        completeStage();
                    }
                },
                NotUsed.NOT_USED));
        assertThat(await(Source.fromGraph(source).runWith(Sink.seq(), runtime))).containsExactly(1, 2, 3, 4);
    }

    /** Emits as it starts, before there is demand, which its own handler must not see. */
    private abstract static class Emitting extends GraphStageLogic implements OutHandler {
        final Outlet<Integer> out;

        Emitting(SourceShape<Integer> shape) {
            super(shape);
            out = shape.out();
            setHandler(out, this);
        }

        @Override
        public void onPull() {
            throw new IllegalStateException("the emission takes the demand");
        }
    }

    private static Source<Integer, NotUsed> emitting(Function<SourceShape<Integer>, Emitting> logic) {
        return Source.fromGraph(TestStages.source(shape -> new LogicAndValue<>(logic.apply(shape), NotUsed.NOT_USED)));
    }

    @Test
    void whatTheActionAfterAnEmissionEmitsIsDeliveredBeforeTheStageCompletes() throws Exception {
        Source<Integer, NotUsed> source = emitting(shape -> new Emitting(shape) {
            @Override
            public void preStart() {
                emitAll(
                        out,
                        List.of(1, 2).iterator(),
                        () -> emit(out, 3, () -> emitAll(out, List.of(4, 5).iterator())));
                completeStage();
            }
        });
        assertThat(await(source.runWith(Sink.seq(), runtime))).containsExactly(1, 2, 3, 4, 5);
    }

    /** The action is that of many stages: it asks for the next element, which it may not where upstream has ended. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theActionAfterTheLastElementComesBeforeTheEndOfUpstream(boolean isAll) {
        var flow = TestStages.<Integer, Integer, NotUsed>flow(shape -> new LogicAndValue<>(
                new GraphStageLogic(shape) {
                    {
                        setHandler(shape.in(), new InHandler() {
                            @Override
                            public void onPush() {
                                Integer element = grab(shape.in());
                                if (isAll) {
                                    emitAll(shape.out(), List.of(element).iterator(), () -> pull(shape.in()));
                                } else {
                                    emit(shape.out(), element, () -> pull(shape.in()));
                                }
                            }
                        });
                        setHandler(shape.out(), new OutHandler() {
                            @Override
                            public void onPull() {
                                tryPull(shape.in());
                            }
                        });
                    }
                },
                NotUsed.NOT_USED));
        TestSink<Integer> sink = Source.single(1).via(flow).runWith(TestSink.probe(), runtime);
        sink.request(1).expectNext(1);
        sink.expectComplete();
    }

    @Test
    void whereTheActionAfterAnEmissionThrowsTheStageMayEndAtOnce() {
        Source<Integer, NotUsed> source = emitting(shape -> new Emitting(shape) {
            @Override
            public void onPull() {
                try {
                    emitAll(out, List.of(1).iterator(), () -> {
                        throw new IllegalStateException("mine");
                    });
                } catch (IllegalStateException thrown) {
                    completeStage();
                }
            }
        });
        source.runWith(TestSink.probe(), runtime).request(1).expectNext(1).expectComplete();
    }

    /** Gives one element, and then does what is said before it says that there are no more. */
    private record One(AtomicBoolean isGiven, Runnable afterwards) implements Iterator<Integer> {
        One(Runnable afterwards) {
            this(new AtomicBoolean(), afterwards);
        }

        @Override
        public boolean hasNext() {
            if (isGiven.get()) {
                afterwards.run();
            }
            return !isGiven.get();
        }

        @Override
        public Integer next() {
            isGiven.set(true);
            return 1;
        }
    }

    /** The wait is given to the stage, and ends once what it has emitted before has arrived. */
    private void arrivesMeanwhile(BiFunction<SourceShape<Integer>, Runnable, Emitting> waiting) throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        CompletableFuture<Integer> arrived = new CompletableFuture<>();
        Runnable wait = () -> assertThat(uninterrupted(released)).isTrue();
        CompletionStage<Done> end =
                emitting(shape -> waiting.apply(shape, wait)).runWith(Sink.foreach(arrived::complete), runtime);
        try {
            assertThat(await(arrived)).isEqualTo(1);
        } finally {
            released.countDown();
        }
        await(end);
    }

    private static boolean uninterrupted(CountDownLatch latch) {
        try {
            return latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Behaviour("INT-10")
    void whatAnIteratorHasGivenArrivesWhileItWaits() throws Exception {
        arrivesMeanwhile((shape, wait) -> new Emitting(shape) {
            @Override
            public void onPull() {
                emitAll(out, new One(wait));
                completeStage();
            }
        });
    }

    @Test
    @Behaviour("INT-10")
    void whatWasEmittedArrivesWhileTheNextIteratorWaits() throws Exception {
        arrivesMeanwhile((shape, wait) -> new Emitting(shape) {
            @Override
            public void preStart() {
                One next = new One(wait);
                next.next();
                emit(out, 1);
                emitAll(out, next);
                completeStage();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Behaviour("INT-10")
    void whatWasPushedInTheSameHandlerArrivesWhileTheNextIteratorWaits(boolean isEmitted) throws Exception {
        arrivesMeanwhile((shape, wait) -> new Emitting(shape) {
            @Override
            public void onPull() {
                One next = new One(wait);
                next.next();
                if (isEmitted) {
                    emit(out, 1);
                } else {
                    push(out, 1);
                }
                emitAll(out, next);
                completeStage();
            }
        });
    }

    /** Of an iterator that turns out to be empty, too. */
    @Test
    void whatFollowsOnAPushAndNothingWaitsForNoDemand() {
        Source<Integer, NotUsed> source = emitting(shape -> new Emitting(shape) {
            @Override
            public void onPull() {
                push(out, 1);
                emitAll(out, Collections.emptyIterator());
                completeStage();
            }
        });
        source.runWith(TestSink.probe(), runtime).request(1).expectNext(1).expectComplete();
    }

    @Test
    void theActionAfterElementsThatAreDroppedIsNotDone() throws Exception {
        CompletableFuture<String> done = new CompletableFuture<>();
        Source<Integer, NotUsed> source = emitting(shape -> new Emitting(shape) {
            @Override
            public void onPull() {
                emitAll(out, List.of(1, 2).iterator(), () -> done.complete("after the elements"));
            }

            @Override
            public void postStop() {
                done.complete("stopped");
            }
        });
        assertThat(await(source.runWith(Sink.head(), runtime))).isEqualTo(1);
        assertThat(await(done)).isEqualTo("stopped");
    }

    @Test
    void theActionAfterTheLastElementIsDoneThoughDownstreamWantsNoMore() throws Exception {
        CompletableFuture<String> done = new CompletableFuture<>();
        Source<Integer, NotUsed> source = emitting(shape -> new Emitting(shape) {
            @Override
            public void preStart() {
                emitAll(out, List.of(1).iterator(), () -> done.complete("once"));
            }
        });
        assertThat(await(source.runWith(Sink.head(), runtime))).isEqualTo(1);
        assertThat(await(done)).isEqualTo("once");
    }

    @Test
    void anIteratorIsNotAskedForWhatDownstreamDoesNotWant() throws Exception {
        CompletableFuture<String> stopped = new CompletableFuture<>();
        Source<Integer, NotUsed> source = emitting(shape -> new Emitting(shape) {
            @Override
            public void onPull() {
                emitAll(out, new One(() -> stopped.complete("asked")));
            }

            @Override
            public void postStop() {
                stopped.complete("stopped");
            }
        });
        assertThat(await(source.runWith(Sink.head(), runtime))).isEqualTo(1);
        assertThat(await(stopped)).isEqualTo("stopped");
    }

    @Test
    void anIteratorThatThrowsIsNotAskedAgain() {
        Source<Integer, NotUsed> ends = emitting(shape -> new Emitting(shape) {
            @Override
            public void onPull() {
                assertThatThrownBy(() -> emitAll(out, throwing())).hasMessage("mine");
                completeStage();
            }
        });
        ends.runWith(TestSink.probe(), runtime).request(1).expectComplete();
        Source<Integer, NotUsed> goesOn = emitting(shape -> new Emitting(shape) {
            @Override
            public void onPull() {
                assertThatThrownBy(() -> emitAll(out, throwing())).hasMessage("mine");
                emitAll(out, List.of(1).iterator());
                completeStage();
            }
        });
        goesOn.runWith(TestSink.probe(), runtime).request(1).expectNext(1).expectComplete();
    }

    private static Iterator<Integer> throwing() {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Integer next() {
                throw new IllegalStateException("mine");
            }
        };
    }

    @Test
    void whatIsEmittedBehindTheCompletionIsTooLate() throws Exception {
        CompletableFuture<AsyncCallback<Integer>> made = new CompletableFuture<>();
        Source<Integer, NotUsed> source = emitting(shape -> new Emitting(shape) {
            @Override
            public void preStart() {
                emit(out, 1, () -> emit(out, 2));
                made.complete(asyncCallback(late -> emit(out, late)));
                completeStage();
            }
        });
        TestSink<Integer> sink = source.runWith(TestSink.probe(), runtime);
        await(await(made).invokeWithFeedback(3));
        sink.request(3).expectNext(1).expectNext(2).expectComplete();
    }

    /** What goes on and on leaves the others their turn. */
    @Test
    void whatIsDoneLaterIsDoneInTurn() throws Exception {
        Source<Integer, NotUsed> source = emitting(shape -> new Emitting(shape) {
            private int turns;
            private final Later busy = new Later(this, this::goOn);
            private final Later once = new Later(this, () -> emit(out, turns));

            @Override
            public void onPull() {
                once.ask();
                busy.ask();
            }

            private void goOn() {
                if (++turns < 1_000) {
                    busy.ask();
                }
            }
        });
        assertThat(await(source.runWith(Sink.head(), runtime))).isLessThan(2);
    }

    @Test
    void emittingNothingWaitsForNoDemand() {
        AtomicBoolean isDone = new AtomicBoolean();
        Source<Integer, NotUsed> source = emitting(shape -> new Emitting(shape) {
            @Override
            public void preStart() {
                emitAll(out, Collections.emptyIterator());
                emitAll(out, Collections.emptyIterator(), () -> isDone.set(true));
                completeStage();
            }
        });
        source.runWith(TestSink.probe(), runtime).expectComplete();
        assertThat(isDone).isTrue();
    }

    @Test
    void theActionAfterNothingMayEmitAndSetAHandler() throws Exception {
        Source<Integer, NotUsed> emits = emitting(shape -> new Emitting(shape) {
            @Override
            public void preStart() {
                emitAll(
                        out,
                        Collections.emptyIterator(),
                        () -> emitAll(out, List.of(1).iterator()));
                emit(out, 2);
                completeStage();
            }
        });
        assertThat(await(emits.runWith(Sink.seq(), runtime))).containsExactly(1, 2);
        Source<Integer, NotUsed> sets = emitting(shape -> new Emitting(shape) {
            @Override
            public void preStart() {
                emitAll(out, Collections.emptyIterator(), () -> setHandler(out, this::pushOnly));
            }

            private void pushOnly() {
                push(out, 3);
                completeStage();
            }
        });
        assertThat(await(sets.runWith(Sink.seq(), runtime))).containsExactly(3);
    }

    @Test
    void theActionAfterElementsThatAreGoneMayEmitMoreThanOnce() throws Exception {
        Source<Integer, NotUsed> source = emitting(shape -> new Emitting(shape) {
            @Override
            public void preStart() {
                Queue<Integer> gone = new ArrayDeque<>(List.of(0));
                Iterator<Integer> elements = new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return !gone.isEmpty();
                    }

                    @Override
                    public Integer next() {
                        return gone.remove();
                    }
                };
                emitAll(out, elements, () -> {
                    emitAll(out, List.of(1).iterator());
                    emit(out, 2);
                });
                gone.clear();
                completeStage();
            }
        });
        assertThat(await(source.runWith(Sink.seq(), runtime))).containsExactly(1, 2);
    }
}
