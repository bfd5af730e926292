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
import io.millrace.streams.stage.StageConsumer;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
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

        void cancelIn(Throwable cause) {
            cancel(shape.in(), cause);
        }

        void cancelAll(Throwable cause) {
            cancelStage(cause);
        }

        void failAll(Throwable failure) {
            failStage(failure);
        }

        void cancelSubstream(Throwable cause) {
            subSinkInlet("sub").cancel(cause);
        }

        void fireEvery(Duration period) {
            schedulePeriodically("timer", Duration.ofDays(1), period);
        }

        void callBack(StageConsumer<Integer> handler) {
            asyncCallback(handler);
        }

        void receive(StageConsumer<Integer> handler) {
            stageActor(handler);
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

    private static final class EmitNull extends GraphStageLogic implements OutHandler {
        private final SourceShape<Integer> shape;

        EmitNull(SourceShape<Integer> shape) {
            super(shape);
            this.shape = shape;
            setHandler(shape.out(), this);
        }

        @Override
        @SuppressWarnings("NullAway")
        public void preStart() {
            emit(shape.out(), null);
        }

        @Override
        public void onPull() {}
    }

    @Test
    void emittingNullBeforeItIsAskedForNamesStageAndPort() throws Exception {
        var source = TestStages.<Integer, NotUsed>source(
                shape -> new LogicAndValue<>(new EmitNull(shape), NotUsed.NOT_USED));
        assertThat(awaitFailure(Source.fromGraph(source).runWith(Sink.ignore(), runtime)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot push port probe.out of stage probeSource: the element is null");
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

    /** What the stage fails with because of this, which it would outlive if it were let do it. */
    private Throwable refusalOf(Consumer<Misusing> misuse) throws InterruptedException {
        return failureOf((stage, shape) -> {
            misuse.accept(stage);
            stage.cancelIn();
        });
    }

    @Test
    void endingWithoutACauseIsRefused() throws Exception {
        assertThat(refusalOf(stage -> stage.cancelIn(null)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("cause");
        assertThat(refusalOf(stage -> stage.cancelAll(null)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("cause");
        assertThat(refusalOf(stage -> stage.failAll(null)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("failure");
        assertThat(refusalOf(stage -> stage.cancelSubstream(null)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("cause");
    }

    @Test
    void failingAnOutletWithoutAFailureIsRefused() throws Exception {
        var source = TestStages.<Integer, NotUsed>source(shape -> new LogicAndValue<>(
                new GraphStageLogic(shape) {
                    {
                        setHandler(shape.out(), () -> fail(shape.out(), null));
                    }
                },
                NotUsed.NOT_USED));
        assertThat(awaitFailure(Source.fromGraph(source).runWith(Sink.ignore(), runtime)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("failure");
    }

    @Test
    void aPeriodThatIsNotLongerThanZeroIsRefused() throws Exception {
        assertThat(refusalOf(stage -> stage.fireEvery(Duration.ZERO)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("schedulePeriodically");
        assertThat(refusalOf(stage -> stage.fireEvery(Duration.ofNanos(-1))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(refusalOf(stage -> stage.fireEvery(null)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("period");
    }

    @Test
    void messagesWithoutAHandlerAreRefused() throws Exception {
        assertThat(refusalOf(stage -> stage.callBack(null)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("handler");
        assertThat(refusalOf(stage -> stage.receive(null))).isInstanceOf(NullPointerException.class);
        assertThat(refusalOf(stage -> {
                    stage.receive(message -> {});
                    stage.receive(null);
                }))
                .isInstanceOf(NullPointerException.class);
    }
}
