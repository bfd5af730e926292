package io.millrace.streams;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Emits what is offered to its queue. */
final class SourceQueueStage<T> extends GraphStageWithMaterializedValue<SourceShape<T>, SourceQueue<T>> {
    private final int capacity;
    private final OverflowStrategy strategy;
    private final Outlet<T> out = Outlet.create("queue.out");
    private final SourceShape<T> shape = SourceShape.of(out);

    SourceQueueStage(int capacity, OverflowStrategy strategy) {
        if (capacity < 1) {
            throw new IllegalArgumentException("the capacity of a queue must be at least 1, not " + capacity);
        }
        this.capacity = capacity;
        this.strategy = Objects.requireNonNull(strategy, "strategy");
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
        private final CompletableFuture<Done> completion = promise();
        private final SourceQueue<T> queue =
                new SourceQueue<>(capacity, strategy, StageWakeUp.of(this, nothing -> onPull()), completion);

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void onPull() {
            if (isAvailable(out)) {
                T element = queue.poll();
                if (element != null) {
                    push(out, element);
                }
            }
            endIfDrained();
        }

        private void endIfDrained() {
            SourceQueue.End end = queue.drainedEnd();
            if (end == null) {
                return;
            }
            if (end.isOwn()) {
                failStage(end.failure().orElseThrow());
            } else if (end.failure().isPresent()) {
                StageContext.of(this).passFailure(end.failure().get());
            } else {
                completion.complete(Done.DONE);
                completeStage();
            }
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            if (cause instanceof DownstreamFinished) {
                completion.complete(Done.DONE);
            } else {
                completion.completeExceptionally(cause);
            }
            cancelStage(cause);
        }

        @Override
        public void postStop() {
            queue.close();
        }
    }
}
