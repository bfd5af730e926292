package io.millrace.testkit;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.Queue;

/** Behind {@link TestSource}: pushes what was sent as it is asked for, and records every signal. */
final class TestSourceStage<T> extends GraphStageWithMaterializedValue<SourceShape<T>, TestSource<T>> {
    private final Outlet<T> out = Outlet.create("testSource.out");
    private final SourceShape<T> shape = SourceShape.of(out);

    @Override
    public SourceShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "testSource";
    }

    @Override
    public LogicAndValue<TestSource<T>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.probe);
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final ProbeEvents events = new ProbeEvents("the test source");
        private final TestSource<T> probe = new TestSource<>(events, asyncCallback(this::onCommand));
        private final Queue<T> waiting = new ArrayDeque<>();
        private boolean completing;
        private boolean hasEnded;

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @SuppressWarnings("unchecked") // what is no end is an element
        private void onCommand(Object command) {
            if (command instanceof TestSource.End end) {
                onEnd(end);
            } else {
                waiting.add((T) command);
                pushIfAsked();
            }
        }

        private void onEnd(TestSource.End end) {
            if (end.failure() != null) {
                hasEnded = true;
                failStage(end.failure());
            } else {
                completing = true;
                pushIfAsked();
            }
        }

        private void pushIfAsked() {
            if (isAvailable(out) && !waiting.isEmpty()) {
                push(out, waiting.remove());
            }
            if (completing && waiting.isEmpty()) {
                hasEnded = true;
                completeStage();
            }
        }

        @Override
        public void onPull() {
            events.add(new ProbeEvents.Pulled());
            pushIfAsked();
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            hasEnded = true;
            events.add(new ProbeEvents.Cancelled(cause));
            cancelStage(cause);
        }

        /** A stream that is ended by force has cancelled for who is above it. */
        @Override
        public void postStop() {
            if (!hasEnded) {
                events.add(new ProbeEvents.Cancelled(abruptEnd()));
            }
        }
    }
}
