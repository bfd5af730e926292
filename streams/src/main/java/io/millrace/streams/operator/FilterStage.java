package io.millrace.streams.operator;

import io.millrace.streams.ThrowingPredicate;
import io.millrace.streams.engine.Step;
import io.millrace.streams.engine.StepStage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets through the elements for which a condition holds. */
public final class FilterStage<T> extends StepStage<T, T> {
    public FilterStage(ThrowingPredicate<? super T> condition) {
        super("filter", new Body<>(Objects.requireNonNull(condition, "condition"), false));
    }

    private record Body<T>(ThrowingPredicate<? super T> condition, boolean unboxes) implements Step<T> {
        @Override
        @SuppressWarnings("unchecked") // a box holds what it held before
        public Object apply(T element, @Nullable Object[] states, int at) throws Exception {
            if (unboxes) {
                return Unboxed.ifPasses((ThrowingPredicate<Object>) condition, element);
            }
            return condition.test(element) ? element : NOTHING;
        }

        @Override
        public Step<T> whenHot(boolean takesNewObjects) {
            return takesNewObjects ? new Body<>(condition, true) : this;
        }
    }
}
