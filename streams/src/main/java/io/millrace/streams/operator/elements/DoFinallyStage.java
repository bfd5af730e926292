package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.island.Later;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outcome;
import io.millrace.streams.graph.ThrowingConsumer;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets everything through and tells a consumer once how the stream has ended here. */
public final class DoFinallyStage<T> extends LinearStage<T, T> {
    private final ThrowingConsumer<? super Outcome> consumer;

    public DoFinallyStage(ThrowingConsumer<? super Outcome> consumer) {
        super("doFinally");
        this.consumer = Objects.requireNonNull(consumer, "consumer");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new FinallyLogic();
    }

    private final class FinallyLogic extends Logic<T, T> {
        private @Nullable Outcome outcome;

        FinallyLogic() {
            super(DoFinallyStage.this);
        }

        @Override
        public void onPush() {
            push(out, grab(in));
        }

        @Override
        public void onPull() {
            tryPull(in);
        }

        @Override
        public void onUpstreamFinish() {
            outcome = new Outcome.Completed();
            new Later(this, this::completeStage).ask(); // once what was pushed before has arrived
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            outcome = new Outcome.Failed(failure);
            new Later(this, () -> failStage(failure)).ask();
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            if (outcome == null) {
                outcome = new Outcome.Cancelled(cause);
            }
            cancelStage(cause);
        }

        @Override
        public void postStop() throws Exception {
            Outcome known = outcome;
            consumer.accept(known == null ? new Outcome.Cancelled(abruptEnd()) : known);
        }
    }
}
