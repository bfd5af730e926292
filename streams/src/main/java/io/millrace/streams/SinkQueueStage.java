package io.millrace.streams;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

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
        /** Those that were not answered yet; of a stage that is stuck another thread fails them. */
        private final Queue<CompletableFuture<Optional<T>>> requests = new ConcurrentLinkedQueue<>();

        private final CompletableFuture<Done> end = promise();
        private final SinkQueue<T> queue =
                new SinkQueue<>(asyncCallback(this::onRequest), asyncCallback(this::onCancel));
        /** An element whose requests were all given up before it came; it waits for the next one. */
        private @Nullable T kept;

        /** Whether upstream has completed while one was kept. */
        private boolean isFinishing;

        Logic() {
            super(shape);
            setHandler(in, this);
            CompletionStage<Done> ended = end;
            ended.whenComplete((done, givenUp) -> {
                if (givenUp != null) {
                    requests.forEach(request -> request.completeExceptionally(givenUp));
                }
            });
        }

        private void onCancel(NotUsed nothing) {
            queue.endsWith(null);
            completeStage();
        }

        private void onRequest(CompletableFuture<Optional<T>> request) {
            requests.add(request);
            dropGivenUp();
            if (kept != null) {
                hand(kept);
            } else if (!requests.isEmpty()) {
                tryPull(in);
            }
        }

        @Override
        public void onPush() {
            hand(grab(in));
        }

        /** Answers the first request that takes the element; if none does, the element is kept. */
        private void hand(T element) {
            boolean isTaken = false;
            while (!isTaken && !requests.isEmpty()) {
                isTaken = requests.remove().complete(Optional.of(element));
            }
            kept = isTaken ? null : element;
            dropGivenUp();
            if (isTaken && isFinishing) {
                onUpstreamFinish();
            } else if (!requests.isEmpty()) {
                tryPull(in);
            }
        }

        /** Lets go of requests whose futures were cancelled, or have timed out, meanwhile. */
        private void dropGivenUp() {
            while (!requests.isEmpty() && requests.element().isDone()) {
                requests.remove();
            }
        }

        @Override
        public void onUpstreamFinish() {
            if (kept == null) {
                queue.endsWith(null);
                completeStage();
            } else {
                isFinishing = true;
                setKeepGoing(true);
            }
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
            requests.forEach(request -> queue.end(request, null));
            end.complete(Done.DONE);
        }
    }
}
