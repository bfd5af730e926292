package io.millrace.streams.operator.futures;

import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.FutureFailure;
import io.millrace.streams.operator.FutureWait;
import io.millrace.streams.operator.SourceStage;
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
        private final Awaited<O> awaited =
                new Awaited<>(name(), StageWakeUp.of(this, nothing -> onSettled(this.awaited.take())));

        AwaitingLogic() {
            super(FutureSource.this);
        }

        @Override
        public void preStart() {
            if (FutureWait.isDone(future)) {
                onSettled(Settled.of(future, name()));
            } else {
                awaited.begin(future);
            }
        }

        @Override
        public void postStop() {
            awaited.end();
        }

        @Override
        public void onPull() {
            // The element comes when the future says so.
        }

        private void onSettled(Settled<O> settled) {
            if (FutureFailure.mayBeForced(this, settled.failure())) {
                return;
            }
            if (settled.failure() != null) {
                failStage(settled.failure());
            } else if (settled.value() != null) {
                emit(out, settled.value());
                completeStage();
            }
        }
    }
}
