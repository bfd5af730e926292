package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.ThrowingPredicate;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Lets through the elements for which a condition holds. */
public final class FilterStage<T> extends LinearStage<T, T> {
    private final ThrowingPredicate<? super T> condition;

    public FilterStage(ThrowingPredicate<? super T> condition) {
        super("filter");
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
                    pull(in);
                }
            }
        };
    }
}
