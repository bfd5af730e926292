package io.millrace.streams.operator;

import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.engine.Step;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How elements become one result, one by one, beginning with a zero. */
record Folding<I, A>(A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function) {
    Folding {
        Objects.requireNonNull(zero, "zero");
        Objects.requireNonNull(function, "function");
    }

    Object begin() {
        return new Last<>(zero);
    }

    @SuppressWarnings("unchecked")
    void add(I element, @Nullable Object[] states, int at) throws Exception {
        Last<A> last = (Last<A>) Step.state(states, at);
        last.value = Step.required(function.apply(last.value, element), "fold");
    }

    @SuppressWarnings("unchecked")
    Object result(@Nullable Object state) {
        return ((Last<Object>) Objects.requireNonNull(state, "state")).value;
    }

    private static final class Last<A> {
        private A value;

        Last(A value) {
            this.value = value;
        }
    }
}
