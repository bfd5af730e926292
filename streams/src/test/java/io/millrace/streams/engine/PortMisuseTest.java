package io.millrace.streams.engine;

import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.testkit.Behaviour;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

@Behaviour("INT-3")
final class PortMisuseTest extends EngineTest {
    /** A sink whose every push is handled by the test; its value is what the stage failed with. */
    private static final class Misusing extends GraphStageLogic implements InHandler {
        final CompletableFuture<NotUsed> ended = promise();
        private final SinkShape<Integer> shape;
        private final BiConsumer<Misusing, SinkShape<Integer>> misuse;

        Misusing(SinkShape<Integer> shape, BiConsumer<Misusing, SinkShape<Integer>> misuse) {
            super(shape);
            this.shape = shape;
            this.misuse = misuse;
            setHandler(shape.in(), this);
        }

        void pullIn() {
            pull(shape.in());
        }

        int grabIn() {
            return grab(shape.in());
        }

        void cancelIn() {
            cancel(shape.in());
        }

        @Override
        public void preStart() {
            pull(shape.in());
        }

        @Override
        public void onPush() {
            misuse.accept(this, shape);
        }
    }

    private Throwable failureOf(BiConsumer<Misusing, SinkShape<Integer>> misuse) throws InterruptedException {
        return awaitFailure(Source.repeat(1)
                .runWith(
                        TestStages.<Integer, CompletableFuture<NotUsed>>sink(shape -> {
                            Misusing logic = new Misusing(shape, misuse);
                            return new LogicAndValue<>(logic, logic.ended);
                        }),
                        runtime));
    }

    @Test
    void grabbingTwiceNamesStageAndPort() throws Exception {
        assertThat(failureOf((stage, shape) -> {
                    stage.grabIn();
                    stage.grabIn();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("probeSink")
                .hasMessageContaining("probe.in")
                .hasMessageContaining("grab");
    }

    @Test
    void pullingTwiceNamesStageAndPort() throws Exception {
        assertThat(failureOf((stage, shape) -> {
                    stage.pullIn();
                    stage.pullIn();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot pull port probe.in of stage probeSink: it has been pulled already");
    }

    @Test
    void pullingAfterClosingNamesStageAndPort() throws Exception {
        assertThat(failureOf((stage, shape) -> {
                    stage.cancelIn();
                    stage.pullIn();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot pull port probe.in of stage probeSink: it is closed");
    }

    private static final class PushTwice extends GraphStageLogic implements OutHandler {
        private final SourceShape<Integer> shape;

        PushTwice(SourceShape<Integer> shape) {
            super(shape);
            this.shape = shape;
            setHandler(shape.out(), this);
        }

        @Override
        public void onPull() {
            push(shape.out(), 1);
            push(shape.out(), 2);
        }
    }

    @Test
    void pushingWithoutDemandNamesStageAndPort() throws Exception {
        var source = TestStages.<Integer, NotUsed>source(
                shape -> new LogicAndValue<>(new PushTwice(shape), NotUsed.NOT_USED));
        assertThat(awaitFailure(Source.fromGraph(source).runWith(Sink.ignore(), runtime)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot push port probe.out of stage probeSource: it has not been pulled");
    }

    private static final class NoHandler extends GraphStageLogic {
        NoHandler(SourceShape<Integer> shape) {
            super(shape);
        }
    }

    @Test
    @Behaviour("INT-4")
    void missingHandlerIsReportedWithStageAndPort() {
        var source = TestStages.<Integer, NotUsed>source(
                shape -> new LogicAndValue<>(new NoHandler(shape), NotUsed.NOT_USED));
        assertThatThrownBy(() -> Source.fromGraph(source).runWith(Sink.ignore(), runtime))
                .isInstanceOf(StreamException.class)
                .hasMessageContaining("stage probeSource has no handler for port probe.out");
    }
}
