package io.millrace.streams.operator;

import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.engine.Step;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How elements become one result, one by one, beginning with a zero. */
record Folding<I, A>(A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function)
        implements Accumulation<I> {
    Folding {
        Objects.requireNonNull(zero, "zero");
        Objects.requireNonNull(function, "function");
    }

    @Override
    public Last<Object> begin() {
        return new Last<>(zero);
    }

    @Override
    @SuppressWarnings("unchecked")
    public void add(I element, @Nullable Object[] states, int at) throws Exception {
        Last<A> last = (Last<A>) Step.state(states, at);
        last.value = Step.required(function.apply(last.value, element), "fold");
    }

    @Override
    @SuppressWarnings("unchecked")
    public Accumulation<I> unboxed() {
        return (Accumulation<I>) new UnboxedFolding(zero, (ThrowingBiFunction<Object, Object, Object>) function);
    }

    /** What there is. */
    static final class Last<A> {
        A value;

        Last(A value) {
            this.value = value;
        }

        @SuppressWarnings("unchecked")
        static Last<Object> of(@Nullable Object[] states, int at) {
            return (Last<Object>) Step.state(states, at);
        }
    }
}
