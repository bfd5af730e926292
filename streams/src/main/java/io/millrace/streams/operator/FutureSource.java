package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.Outlet;
import io.millrace.streams.SourceShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Emits the value of a future once that is completed, then completes; fails as the future does. */
public final class FutureSource<O> extends GraphStage<SourceShape<O>> {
    private final CompletionStage<? extends O> future;
    private final Outlet<O> out = Outlet.create("future.out");
    private final SourceShape<O> shape = SourceShape.of(out);

    public FutureSource(CompletionStage<? extends O> future) {
        this.future = Objects.requireNonNull(future, "future");
    }

    @Override
    public SourceShape<O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "future";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    /** How the future has ended. */
    private record Result<O>(@Nullable O value, @Nullable Throwable failure) {}

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final AsyncCallback<Result<O>> completed = asyncCallback(this::onCompleted);

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void preStart() {
            future.whenComplete((value, failure) -> completed.invoke(new Result<>(value, failure)));
        }

        @Override
        public void onPull() {
            // The element comes when the future says so.
        }

        private void onCompleted(Result<O> result) {
            O value = result.value();
            if (result.failure() != null) {
                failStage(FutureFailure.causeOf(result.failure()));
            } else if (value == null) {
                failStage(new NullPointerException("the future completed with null"));
            } else {
                emit(out, value);
                completeStage();
            }
        }
    }
}
