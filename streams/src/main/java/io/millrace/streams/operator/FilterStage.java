package io.millrace.streams.operator;

import io.millrace.streams.ThrowingPredicate;
import io.millrace.streams.engine.Step;
import io.millrace.streams.engine.StepStage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets through the elements for which a condition holds. */
public final class FilterStage<T> extends StepStage<T, T> {
    public FilterStage(ThrowingPredicate<? super T> condition) {
        super("filter", new Body<>(Objects.requireNonNull(condition, "condition")));
    }

    private record Body<T>(ThrowingPredicate<? super T> condition) implements Step<T> {
        @Override
        public Object apply(T element, @Nullable Object[] states, int at) throws Exception {
            return condition.test(element) ? element : NOTHING;
        }

        @Override
        @SuppressWarnings("unchecked") // a box holds what it held before
        public Step<T> whenHot(boolean takesNewObjects) {
            if (!takesNewObjects) {
                return this;
            }
            return (Step<T>) new Reboxing((ThrowingPredicate<Object>) condition);
        }
    }

    /**
     * Keeps numbers without their boxes over the test. A compiler that bets on the outcome of a test must be able to go back to it, and
     * keeps for that what is needed after it: of a box that is needed, it makes an object for each element (JDK 17), of a number not.
     */
    private record Reboxing(ThrowingPredicate<Object> condition) implements Step<Object> {
        @Override
        public Object apply(Object element, @Nullable Object[] states, int at) throws Exception {
            if (element instanceof Integer boxed) {
                int value = boxed;
                return condition.test(Integer.valueOf(value)) ? Integer.valueOf(value) : NOTHING;
            }
            if (element instanceof Long boxed) {
                long value = boxed;
                return condition.test(Long.valueOf(value)) ? Long.valueOf(value) : NOTHING;
            }
            if (element instanceof Double boxed) {
                double value = boxed;
                return condition.test(Double.valueOf(value)) ? Double.valueOf(value) : NOTHING;
            }
            return condition.test(element) ? element : NOTHING;
        }
    }
}
