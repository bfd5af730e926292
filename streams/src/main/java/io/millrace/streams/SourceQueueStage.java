package io.millrace.streams;

import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.Queue;

/** Emits what is offered to its queue. */
final class SourceQueueStage<T> extends GraphStageWithMaterializedValue<SourceShape<T>, SourceQueue<T>> {
    private final int capacity;
    private final Outlet<T> out = Outlet.create("queue.out");
    private final SourceShape<T> shape = SourceShape.of(out);

    SourceQueueStage(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("the capacity of a queue must be at least 1, not " + capacity);
        }
        this.capacity = capacity;
    }

    @Override
    public SourceShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public LogicAndValue<SourceQueue<T>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.queue);
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final Queue<T> waiting = new ArrayDeque<>();
        private final SourceQueue<T> queue = new SourceQueue<>(capacity, asyncCallback(this::onMessage));
        private boolean ending;

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void onPull() {
            T element = waiting.poll();
            if (element != null) {
                queue.left();
                push(out, element);
            }
            completeIfDrained();
        }

        private void onMessage(SourceQueue.Message<T> message) {
            if (message.failure() != null) {
                failStage(message.failure());
            } else if (message.element() == null) {
                ending = true;
                completeIfDrained();
            } else if (isAvailable(out)) {
                queue.left();
                push(out, message.element());
            } else {
                waiting.add(message.element());
            }
        }

        private void completeIfDrained() {
            if (ending && waiting.isEmpty()) {
                completeStage();
            }
        }

        @Override
        public void postStop() {
            queue.close();
        }
    }
}
