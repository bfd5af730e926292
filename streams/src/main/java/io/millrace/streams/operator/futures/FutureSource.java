package io.millrace.streams.operator.futures;

import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.FutureWait;
import io.millrace.streams.operator.SourceStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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
        return new AwaitingLogic(future.toCompletableFuture());
    }

    private final class AwaitingLogic extends Logic<O> {
        private final CompletableFuture<? extends O> awaited;
        private final FutureWait wait = new FutureWait(StageWakeUp.of(this, nothing -> onCompleted()));

        AwaitingLogic(CompletableFuture<? extends O> awaited) {
            super(FutureSource.this);
            this.awaited = awaited;
        }

        @Override
        public void preStart() {
            if (awaited.isDone()) {
                onCompleted();
            } else {
                wait.begin(awaited);
            }
        }

        @Override
        public void postStop() {
            wait.end();
        }

        @Override
        public void onPull() {
            // The element comes when the future says so.
        }

        private void onCompleted() {
            Settled<O> settled = Settled.of(awaited, name());
            if (settled.failure() != null) {
                failStage(settled.failure());
            } else if (settled.value() != null) {
                emit(out, settled.value());
                completeStage();
            }
        }
    }
}
