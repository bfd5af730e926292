package io.millrace.benchmarks.stages;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SinkShape;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.RunnableGraph;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** The same with Pekko. */
final class PekkoStages {
    private PekkoStages() {}

    static RunnableGraph<CompletionStage<Long>> graph(int elements, int stages) {
        Source<Integer, NotUsed> source = Source.fromGraph(new Numbers(elements));
        for (int i = 0; i < stages; i++) {
            source = source.via(new PassOn());
        }
        return source.toMat(Sink.fromGraph(new Summing()), Keep.right());
    }

    private static final class Numbers extends GraphStage<SourceShape<Integer>> {
        private final Outlet<Integer> out = Outlet.create("numbers.out");
        private final SourceShape<Integer> shape = SourceShape.of(out);
        private final int count;

        Numbers(int count) {
            this.count = count;
        }

        @Override
        public SourceShape<Integer> shape() {
            return shape;
        }

        @Override
        public GraphStageLogic createLogic(Attributes inherited) {
            return new GraphStageLogic(shape) {
                private int next;

                {
                    setHandler(out, new AbstractOutHandler() {
                        @Override
                        public void onPull() {
                            if (next < count) {
                                push(out, next++);
                            } else {
                                completeStage();
                            }
                        }
                    });
                }
            };
        }
    }

    private static final class PassOn extends GraphStage<FlowShape<Integer, Integer>> {
        private final Inlet<Integer> in = Inlet.create("passOn.in");
        private final Outlet<Integer> out = Outlet.create("passOn.out");
        private final FlowShape<Integer, Integer> shape = FlowShape.of(in, out);

        @Override
        public FlowShape<Integer, Integer> shape() {
            return shape;
        }

        @Override
        public GraphStageLogic createLogic(Attributes inherited) {
            return new GraphStageLogic(shape) {
                {
                    setHandler(in, new AbstractInHandler() {
                        @Override
                        public void onPush() {
                            push(out, grab(in));
                        }
                    });
                    setHandler(out, new AbstractOutHandler() {
                        @Override
                        public void onPull() {
                            pull(in);
                        }
                    });
                }
            };
        }
    }

    private static final class Summing
            extends AbstractGraphStageWithMaterializedValue<SinkShape<Integer>, CompletionStage<Long>> {
        private final Inlet<Integer> in = Inlet.create("summing.in");
        private final SinkShape<Integer> shape = SinkShape.of(in);

        @Override
        public SinkShape<Integer> shape() {
            return shape;
        }

        @Override
        public Pair<GraphStageLogic, CompletionStage<Long>> createLogicAndMaterializedValuePair(Attributes inherited) {
            CompletableFuture<Long> result = new CompletableFuture<>();
            GraphStageLogic logic = new GraphStageLogic(shape) {
                private long sum;

                {
                    setHandler(in, new AbstractInHandler() {
                        @Override
                        public void onPush() {
                            sum += grab(in);
                            pull(in);
                        }

                        @Override
                        public void onUpstreamFinish() {
                            result.complete(sum);
                            completeStage();
                        }
                    });
                }

                @Override
                public void preStart() {
                    pull(in);
                }
            };
            return new Pair<>(logic, result);
        }
    }
}
