package io.millrace.streams.operator.futures;

import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.operator.FutureWait;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.StageConsumer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Gives back a future; once that is completed, it emits the value if there is one, and completes. */
public final class MaybeSource<O>
        extends GraphStageWithMaterializedValue<SourceShape<O>, CompletableFuture<Optional<O>>> {
    private final Outlet<O> out = Outlet.create("maybe.out");
    private final SourceShape<O> shape = SourceShape.of(out);

    @Override
    public SourceShape<O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "maybe";
    }

    @Override
    public LogicAndValue<CompletableFuture<Optional<O>>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.element);
    }

    private final class Logic extends GraphStageLogic implements OutHandler, StageConsumer<NotUsed> {
        private final CompletableFuture<Optional<O>> element = promise();
        private final FutureWait wait = new FutureWait(StageWakeUp.of(this, this));

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void preStart() {
            wait.begin(element);
        }

        @Override
        public void postStop() {
            wait.end();
        }

        @Override
        public void onPull() {
            // The element comes when the future says so.
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            element.complete(Optional.empty());
            cancelStage(cause);
        }

        /** The future is completed. */
        @Override
        public void accept(NotUsed nothing) {
            Settled<Optional<O>> settled = Settled.of(element, name());
            if (settled.failure() != null) {
                failStage(settled.failure());
            } else if (settled.value() != null) {
                settled.value().ifPresent(present -> emit(out, present));
                completeStage();
            }
        }
    }
}
