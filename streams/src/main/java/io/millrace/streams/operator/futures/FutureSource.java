package io.millrace.streams.operator.futures;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.FutureWait;
import io.millrace.streams.operator.SourceStage;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** Emits the value of a future once that is completed, then completes; fails as the future does. */
public final class FutureSource<O> extends SourceStage<O> {
    private final CompletionStage<? extends O> future;

    public FutureSource(CompletionStage<? extends O> future) {
        super("future");
        this.future = Objects.requireNonNull(future, "future");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new AwaitingLogic();
    }

    private final class AwaitingLogic extends Logic<O> {
        AwaitingLogic() {
            super(FutureSource.this);
        }

        @Override
        public void preStart() {
            String operator = name();
            if (FutureWait.isDone(future)) {
                onSettled(Settled.of(future, operator));
            } else {
                AsyncCallback<Settled<O>> toStage = asyncCallback(this::onSettled); // all that the future keeps
                FutureWait.whenDone(future, (value, failure) -> toStage.invoke(Settled.of(value, failure, operator)));
            }
        }

        @Override
        public void onPull() {
            // The element comes when the future says so.
        }

        private void onSettled(Settled<O> settled) {
            if (settled.failure() != null) {
                failStage(settled.failure());
            } else if (settled.value() != null) {
                emit(out, settled.value());
                completeStage();
            }
        }
    }
}
