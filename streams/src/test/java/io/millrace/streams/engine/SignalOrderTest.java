package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.util.concurrent.CompletableFuture;
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
}
