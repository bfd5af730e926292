package io.millrace.streams.operator.elements;

import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Lets everything through and gives back a future of how the stream ends here. */
public final class WatchTerminationStage<T>
        extends GraphStageWithMaterializedValue<FlowShape<T, T>, CompletionStage<Done>> {
    private final Inlet<T> in = Inlet.create("watchTermination.in");
    private final Outlet<T> out = Outlet.create("watchTermination.out");
    private final FlowShape<T, T> shape = FlowShape.of(in, out);

    @Override
    public FlowShape<T, T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "watchTermination";
    }

    @Override
    public LogicAndValue<CompletionStage<Done>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.ended);
    }

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
        private final CompletableFuture<Done> ended = promise();
        private boolean hasCompleted;
        private @Nullable Throwable cancellation;

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
            pull(in);
        }

        @Override
        public void onUpstreamFinish() {
            hasCompleted = true;
            completeStage();
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            hasCompleted = cause instanceof DownstreamFinished;
            cancellation = cause;
            cancelStage(cause);
        }

        @Override
        public void postStop() {
            Throwable cause = cancellation;
            if (hasCompleted) {
                ended.complete(Done.DONE);
            } else if (cause != null) {
                ended.completeExceptionally(cause);
            }
        }
    }
}
