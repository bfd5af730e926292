package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.ThrowingPredicate;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Lets elements through until a condition fails for one, which is dropped, then completes. */
public final class TakeWhileStage<T> extends LinearStage<T, T> {
    private final ThrowingPredicate<? super T> condition;

    public TakeWhileStage(ThrowingPredicate<? super T> condition) {
        super("takeWhile");
        this.condition = Objects.requireNonNull(condition, "condition");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            public void onPush() throws Exception {
                T element = grab(in);
                if (condition.test(element)) {
                    push(out, element);
                } else {
                    completeStage();
                }
            }
        };
    }
}
