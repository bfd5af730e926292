package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.FunctionStep;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingPredicate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Drops elements until a condition fails for one. */
public final class DropWhileStage<T> extends StepStage<T, T> {
    public DropWhileStage(ThrowingPredicate<? super T> condition) {
        super("dropWhile", new Body<>(Objects.requireNonNull(condition, "condition")));
    }

    private record Body<T>(ThrowingPredicate<? super T> condition) implements FunctionStep<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Gate();
        }

        @Override
        public ThrowingPredicate<? super T> function() {
            return condition;
        }

        @Override
        @SuppressWarnings("unchecked") // it is its own
        public Object applyWith(Object exact, T element, @Nullable Object[] states, int at) throws Exception {
            Gate gate = (Gate) Step.state(states, at);
            if (!gate.open) {
                gate.open = !((ThrowingPredicate<? super T>) exact).test(element);
            }
            return gate.open ? element : NOTHING;
        }
    }

    private static final class Gate {
        private boolean open;
    }
}
