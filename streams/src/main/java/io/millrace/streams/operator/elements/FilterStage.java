package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.FunctionStep;
import io.millrace.streams.engine.segment.NewObjects;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingPredicate;
import io.millrace.streams.operator.Unboxed;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets through the elements for which a condition holds. */
public final class FilterStage<T> extends StepStage<T, T> {
    public FilterStage(ThrowingPredicate<? super T> condition) {
        super("filter", new Body<>(Objects.requireNonNull(condition, "condition")));
    }

    private record Body<T>(ThrowingPredicate<? super T> condition) implements FunctionStep<T> {
        @Override
        public ThrowingPredicate<? super T> function() {
            return condition;
        }

        @Override
        @SuppressWarnings("unchecked") // it is its own
        public Object applyWith(Object exact, T element, @Nullable Object[] states, int at) throws Exception {
            return ((ThrowingPredicate<? super T>) exact).test(element) ? element : NOTHING;
        }

        @Override
        @SuppressWarnings("unchecked") // a box holds what it held before
        public Step<T> specialised(NewObjects seen) {
            return seen.taken() ? (Step<T>) new Unboxing((ThrowingPredicate<Object>) condition) : this;
        }
    }

    /** The same in a class of its own, whose calls the virtual machine counts apart, or it would take them for rare. */
    private record Unboxing(ThrowingPredicate<Object> condition) implements Step<Object> {
        @Override
        public Object apply(Object element, @Nullable Object[] states, int at) throws Exception {
            return Unboxed.ifPasses(condition, element);
        }
    }
}
