package io.millrace.testkit;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;

/** Behind {@link TestSink}: pulls while something is requested, and records every signal. */
final class TestSinkStage<T> extends GraphStageWithMaterializedValue<SinkShape<T>, TestSink<T>> {
    private final Inlet<T> in = Inlet.create("testSink.in");
    private final SinkShape<T> shape = SinkShape.of(in);

    @Override
    public SinkShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "testSink";
    }

    @Override
    public LogicAndValue<TestSink<T>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.probe);
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private final ProbeEvents events = new ProbeEvents("the test sink");
        private final TestSink<T> probe =
                new TestSink<>(events, asyncCallback(this::onRequest), asyncCallback(this::onCancel));
        private long requested;
        private boolean hasEnded;

        Logic() {
            super(shape);
            setHandler(in, this);
        }

        private void onRequest(long count) {
            requested = count > Long.MAX_VALUE - requested ? Long.MAX_VALUE : requested + count;
            pullIfRequested();
        }

        private void onCancel(Throwable cause) {
            hasEnded = true;
            cancel(in, cause);
        }

        private void pullIfRequested() {
            if (requested > 0) {
                tryPull(in);
            }
        }

        @Override
        public void onPush() {
            requested--;
            events.add(new ProbeEvents.Element(grab(in)));
            pullIfRequested();
        }

        @Override
        public void onUpstreamFinish() {
            hasEnded = true;
            events.add(new ProbeEvents.Completed());
            completeStage();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            hasEnded = true;
            events.add(new ProbeEvents.Failed(failure));
            failStage(failure);
        }

        /** A stream that is ended by force has failed for who is behind it. */
        @Override
        public void postStop() {
            if (!hasEnded) {
                events.add(new ProbeEvents.Failed(abruptEnd()));
            }
        }
    }
}
