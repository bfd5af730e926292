package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.FunctionStep;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingBiFunction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets an element through if it is not the same as the last one that was let through. */
public final class DropRepeatedStage<T> extends StepStage<T, T> {
    public DropRepeatedStage(ThrowingBiFunction<? super T, ? super T, Boolean> same) {
        super("dropRepeated", new Body<>(Objects.requireNonNull(same, "same")));
    }

    private record Body<T>(ThrowingBiFunction<? super T, ? super T, Boolean> same) implements FunctionStep<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Last<T>();
        }

        @Override
        public ThrowingBiFunction<? super T, ? super T, Boolean> function() {
            return same;
        }

        @Override
        @SuppressWarnings("unchecked") // it is its own
        public Object applyWith(Object exact, T element, @Nullable Object[] states, int at) throws Exception {
            Last<T> last = (Last<T>) Step.state(states, at);
            T before = last.element;
            if (before != null
                    && Step.required(
                            ((ThrowingBiFunction<? super T, ? super T, Boolean>) exact).apply(before, element),
                            "dropRepeated")) {
                return NOTHING;
            }
            last.element = element;
            return element;
        }
    }

    private static final class Last<T> {
        private @Nullable T element;
    }
}
