package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.FunctionStep;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingFunction;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lets an element through if none with an equal key came before. */
public final class DistinctStage<T> extends StepStage<T, T> {
    public DistinctStage(ThrowingFunction<? super T, ?> key) {
        super("distinct", new Body<>(Objects.requireNonNull(key, "key")));
    }

    private record Body<T>(ThrowingFunction<? super T, ?> key) implements FunctionStep<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new HashSet<>();
        }

        @Override
        public ThrowingFunction<? super T, ?> function() {
            return key;
        }

        @Override
        @SuppressWarnings("unchecked") // it is its own
        public Object applyWith(Object exact, T element, @Nullable Object[] states, int at) throws Exception {
            Set<Object> seen = (Set<Object>) Step.state(states, at);
            return seen.add(Step.required(((ThrowingFunction<? super T, ?>) exact).apply(element), "distinct"))
                    ? element
                    : NOTHING;
        }
    }
}
