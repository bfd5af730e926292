package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.FunctionStep;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingBiFunction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Emits the zero and then, for each element, what a function makes of the last result and the element. */
public final class ScanStage<I, A> extends StepStage<I, A> {
    public ScanStage(A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function) {
        super("scan", new Body<>(Objects.requireNonNull(zero, "zero"), Objects.requireNonNull(function, "function")));
    }

    private record Body<I, A>(A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function)
            implements FunctionStep<I> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Last<>(zero);
        }

        @Override
        public boolean hasPrelude() {
            return true;
        }

        @Override
        public Object prelude(@Nullable Object state) {
            return zero;
        }

        @Override
        @SuppressWarnings("unchecked") // it is its own
        public Object applyWith(Object exact, I element, @Nullable Object[] states, int at) throws Exception {
            Last<A> last = (Last<A>) Step.state(states, at);
            A next = Step.required(
                    ((ThrowingBiFunction<? super A, ? super I, ? extends A>) exact).apply(last.value, element), "scan");
            last.value = next;
            return next;
        }
    }

    private static final class Last<A> {
        private A value;

        Last(A value) {
            this.value = value;
        }
    }
}
