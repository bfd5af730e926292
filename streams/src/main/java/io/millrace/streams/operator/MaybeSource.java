package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.Outlet;
import io.millrace.streams.SourceShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final CompletableFuture<Optional<O>> element = promise();
        private final AsyncCallback<Optional<O>> completed = asyncCallback(this::onCompleted);
        private final AsyncCallback<Throwable> failed = asyncCallback(this::failStage);

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void preStart() {
            forward(element);
        }

        private void forward(CompletionStage<Optional<O>> stage) {
            stage.whenComplete((value, failure) -> {
                if (failure == null) {
                    completed.invoke(value);
                } else {
                    failed.invoke(failure);
                }
            });
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

        private void onCompleted(Optional<O> value) {
            value.ifPresent(present -> emit(out, present));
            completeStage();
        }
    }
}
