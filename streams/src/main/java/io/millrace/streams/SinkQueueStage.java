package io.millrace.streams;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** Hands elements to whoever pulls its queue; asks upstream only when somebody has. */
final class SinkQueueStage<T> extends GraphStageWithMaterializedValue<SinkShape<T>, SinkQueue<T>> {
    private final Inlet<T> in = Inlet.create("queue.in");
    private final SinkShape<T> shape = SinkShape.of(in);

    @Override
    public SinkShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public LogicAndValue<SinkQueue<T>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.queue);
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private final Queue<CompletableFuture<Optional<T>>> requests = new ArrayDeque<>();
        private final SinkQueue<T> queue =
                new SinkQueue<>(asyncCallback(this::onRequest), asyncCallback(this::onCancel));

        Logic() {
            super(shape);
            setHandler(in, this);
        }

        private void onCancel(NotUsed nothing) {
            queue.endsWith(null);
            completeStage();
        }

        private void onRequest(CompletableFuture<Optional<T>> request) {
            requests.add(request);
            tryPull(in);
        }

        @Override
        public void onPush() {
            requests.remove().complete(Optional.of(grab(in)));
            if (!requests.isEmpty()) {
                tryPull(in);
            }
        }

        @Override
        public void onUpstreamFinish() {
            queue.endsWith(null);
            completeStage();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            queue.endsWith(failure);
            failStage(failure);
        }

        @Override
        public void postStop() {
            if (!queue.hasEnded()) {
                queue.endsWith(abruptEnd());
            }
            requests.forEach(queue::end);
        }
    }
}
