package io.millrace.streams.engine.segment;

import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.engine.EngineTest;
import io.millrace.streams.engine.island.Edge;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import org.junit.jupiter.api.Test;

/** The batch of a segment may throw for want of stack or memory, before it has noted that. */
final class ThrowingBatchTest extends EngineTest {
    /** Says of the batch that it takes that this was thrown there. */
    private static final class Blaming extends GraphStage<FlowShape<Integer, Integer>> {
        private final Inlet<Integer> in = Inlet.create("in");
        private final Outlet<Integer> out = Outlet.create("out");
        private final FlowShape<Integer, Integer> shape = FlowShape.of(in, out);

        @Override
        public FlowShape<Integer, Integer> shape() {
            return shape;
        }

        @Override
        public GraphStageLogic createLogic(Attributes inherited) {
            return new Logic();
        }

        private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
            Logic() {
                super(shape);
                setHandlers(in, out, this);
            }

            @Override
            public void onPush() {
                push(out, grab(in));
            }

            @Override
            public void onPull() {
                Edge edge = StageContext.of(this).in(0);
                if (edge.openBatch() == null) {
                    throw new IllegalStateException("there is no batch");
                }
                edge.closeBatch(0, new StackOverflowError("on purpose"));
            }
        }
    }

    @Test
    void whatItThrowsFailsTheStream() throws Exception {
        Source<Integer, ?> source = Source.range(0, 10).map(x -> x + 1).via(new Blaming());
        assertThat(awaitFailure(source.runWith(Sink.seq(), runtime)))
                .isInstanceOf(StackOverflowError.class)
                .hasMessage("on purpose");
    }
}
