package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.FunctionStep;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingPredicate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets elements through until a condition fails for one, which is dropped unless it is asked for, then completes. */
public final class TakeWhileStage<T> extends StepStage<T, T> {
    public TakeWhileStage(ThrowingPredicate<? super T> condition, boolean inclusive) {
        super("takeWhile", new Body<>(Objects.requireNonNull(condition, "condition"), inclusive));
    }

    private record Body<T>(ThrowingPredicate<? super T> condition, boolean inclusive) implements FunctionStep<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return control;
        }

        @Override
        public ThrowingPredicate<? super T> function() {
            return condition;
        }

        @Override
        @SuppressWarnings("unchecked") // it is its own
        public Object applyWith(Object exact, T element, @Nullable Object[] states, int at) throws Exception {
            if (((ThrowingPredicate<? super T>) exact).test(element)) {
                return element;
            }
            ((StepControl) Step.state(states, at)).complete();
            return inclusive ? element : NOTHING;
        }
    }
}
