package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.engine.island.Later;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

@Behaviour("INT-1")
final class SignalOrderTest extends EngineTest {
    private static Source<Integer, NotUsed> pushing(int last, boolean failing) {
        return Source.fromGraph(TestStages.source(
                shape -> new LogicAndValue<>(new PushThenEnd(shape, last, failing), NotUsed.NOT_USED)));
    }

    private static final class PushThenEnd extends GraphStageLogic implements OutHandler {
        private final SourceShape<Integer> shape;
        private final int last;
        private final boolean failing;
        private int next;

        PushThenEnd(SourceShape<Integer> shape, int last, boolean failing) {
            super(shape);
            this.shape = shape;
            this.last = last;
            this.failing = failing;
            setHandler(shape.out(), this);
        }

        @Override
        public void onPull() {
            push(shape.out(), next);
            if (next++ == last) {
                if (failing) {
                    failStage(new IllegalArgumentException("on purpose"));
                } else {
                    completeStage();
                }
            }
        }
    }

    @Test
    void elementPushedRightBeforeCompletionIsDelivered() throws Exception {
        assertThat(await(pushing(2, false).runWith(Sink.seq(), runtime))).containsExactly(0, 1, 2);
    }

    @Test
    void elementPushedRightBeforeFailureIsDelivered() {
        TestSink<Integer> sink = pushing(1, true).runWith(TestSink.probe(), runtime);
        sink.request(5).expectNext(0, 1);
        assertThat(sink.expectError()).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void elementPushedRightBeforeTheEndCrossesABoundaryFirst() {
        TestSink<Integer> sink = pushing(3, true).async().runWith(TestSink.probe(), runtime);
        sink.request(10).expectNext(0, 1, 2, 3);
        assertThat(sink.expectError()).hasMessage("on purpose");
    }

    @Test
    void completionNeedsNoDemand() {
        pushing(0, false).take(0).runWith(TestSink.probe(), runtime).expectComplete();
        Source.empty().runWith(TestSink.probe(), runtime).expectComplete();
    }

    @Test
    void cancellingRightAfterPullingDropsTheElement() throws Exception {
        CompletableFuture<Throwable> cancelled = new CompletableFuture<>();
        var source = TestStages.<Integer, NotUsed>source(shape -> new LogicAndValue<>(
                new GraphStageLogic(shape) {
                    {
                        setHandler(shape.out(), new OutHandler() {
                            @Override
                            public void onPull() {
                                push(shape.out(), 1);
                            }

                            @Override
                            public void onDownstreamFinish(Throwable cause) {
                                cancelled.complete(cause);
                                cancelStage(cause);
                            }
                        });
                    }
                },
                NotUsed.NOT_USED));
        CompletableFuture<String> pushed = new CompletableFuture<>();
        var sink = TestStages.<Integer, NotUsed>sink(shape -> new LogicAndValue<>(
                new GraphStageLogic(shape) {
                    {
                        setHandler(shape.in(), new InHandler() {
                            @Override
                            public void onPush() {
                                pushed.complete("an element came after the cancellation");
                            }
                        });
                    }

                    @Override
                    public void preStart() {
                        pull(shape.in());
                        cancel(shape.in(), new IllegalStateException("enough"));
                    }
                },
                NotUsed.NOT_USED));
        Source.fromGraph(source).runWith(sink, runtime);
        assertThat(await(cancelled)).hasMessage("enough");
        assertThat(pushed).isNotDone();
    }

    @Test
    void bothEndsClosingAtOnceResolveToOneAndStopBothStages() throws Exception {
        CompletableFuture<String> stopped = new CompletableFuture<>();
        var flow = TestStages.<Integer, Integer, NotUsed>flow(shape -> new LogicAndValue<>(
                new GraphStageLogic(shape) {
                    {
                        setHandler(shape.in(), new InHandler() {
                            @Override
                            public void onPush() {
                                push(shape.out(), grab(shape.in()));
                                complete(shape.out());
                                cancel(shape.in());
                            }
                        });
                        setHandler(shape.out(), new OutHandler() {
                            @Override
                            public void onPull() {
                                pull(shape.in());
                            }
                        });
                    }

                    @Override
                    public void postStop() {
                        stopped.complete("once");
                    }
                },
                NotUsed.NOT_USED));
        Pair<TestSource<Integer>, TestSink<Integer>> probes = TestSource.<Integer>probe()
                .via(flow)
                .toMat(TestSink.probe(), Keep.both())
                .run(runtime);
        probes.second().request(1);
        probes.first().send(7);
        probes.first().complete();
        probes.second().expectNext(7);
        probes.second().cancel();
        assertThat(await(stopped)).isEqualTo("once");
    }

    @Test
    void failureReachesDownstreamAsTheVeryThrowable() throws Exception {
        RuntimeException thrown = new IllegalArgumentException("mine");
        assertThat(awaitFailure(Source.range(0, 5)
                        .map(x -> {
                            throw thrown;
                        })
                        .async()
                        .runWith(Sink.ignore(), runtime)))
                .isSameAs(thrown);
        assertThat(reported)
                .singleElement()
                .satisfies(report -> assertThat(report)
                        .hasMessageContaining("stage map")
                        .hasMessageContaining("stream#")
                        .hasCause(thrown));
    }

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
