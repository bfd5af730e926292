package io.millrace.benchmarks.stages;

import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A source, stages that pass elements on, and a sink, all written as a user would. */
final class MillraceStages {
    private MillraceStages() {}

    /** The sum of so many numbers behind so many stages. */
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
            return new NumbersLogic();
        }

        private final class NumbersLogic extends GraphStageLogic implements OutHandler {
            private int next;

            NumbersLogic() {
                super(shape);
                setHandler(out, this);
            }

            @Override
            public void onPull() {
                if (next < count) {
                    push(out, next++);
                } else {
                    completeStage();
                }
            }
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
            return new PassOnLogic();
        }

        private final class PassOnLogic extends GraphStageLogic implements InHandler, OutHandler {
            PassOnLogic() {
                super(shape);
                setHandler(in, this);
                setHandler(out, this);
            }

            @Override
            public void onPush() {
                push(out, grab(in));
            }

            @Override
            public void onPull() {
                pull(in);
            }
        }
    }

    private static final class Summing
            extends GraphStageWithMaterializedValue<SinkShape<Integer>, CompletionStage<Long>> {
        private final Inlet<Integer> in = Inlet.create("summing.in");
        private final SinkShape<Integer> shape = SinkShape.of(in);

        @Override
        public SinkShape<Integer> shape() {
            return shape;
        }

        @Override
        public LogicAndValue<CompletionStage<Long>> createLogicAndValue(Attributes inherited) {
            SummingLogic logic = new SummingLogic();
            return new LogicAndValue<>(logic, logic.result);
        }

        private final class SummingLogic extends GraphStageLogic implements InHandler {
            private final CompletableFuture<Long> result = promise();
            private long sum;

            SummingLogic() {
                super(shape);
                setHandler(in, this);
            }

            @Override
            public void preStart() {
                pull(in);
            }

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
        }
    }
}
