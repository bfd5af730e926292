package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.ThrowingPredicate;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Completes when upstream fails with a failure for which the condition holds. */
public final class OnErrorCompleteStage<T> extends LinearStage<T, T> {
    private final ThrowingPredicate<? super Throwable> condition;

    public OnErrorCompleteStage(ThrowingPredicate<? super Throwable> condition) {
        super("onErrorComplete");
        this.condition = Objects.requireNonNull(condition, "condition");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            public void onPush() {
                push(out, grab(in));
            }

            @Override
            public void onUpstreamFailure(Throwable failure) throws Exception {
                if (condition.test(failure)) {
                    completeStage();
                } else {
                    failStage(failure);
                }
            }
        };
    }
}
