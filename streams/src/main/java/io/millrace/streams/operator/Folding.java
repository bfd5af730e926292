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

    /** The same; numbers are kept without their boxes until the function is called, for the reason that {@link Unboxed} gives. */
    void addUnboxed(Object element, @Nullable Object[] states, int at) throws Exception {
        if (element instanceof Integer boxed) {
            addInt(boxed, last(states, at));
        } else if (element instanceof Long boxed) {
            addLong(boxed, last(states, at));
        } else if (element instanceof Double boxed) {
            addDouble(boxed, last(states, at));
        } else {
            addAny(element, last(states, at));
        }
    }

    private void addInt(int element, Last<Object> last) throws Exception {
        Object before = last.value;
        last.value = before instanceof Integer number
                ? combined(number, Integer.valueOf(element))
                : combined(before, Integer.valueOf(element));
    }

    private void addLong(long element, Last<Object> last) throws Exception {
        Object before = last.value;
        last.value = before instanceof Long number
                ? combined(number, Long.valueOf(element))
                : combined(before, Long.valueOf(element));
    }

    private void addDouble(double element, Last<Object> last) throws Exception {
        Object before = last.value;
        last.value = before instanceof Double number
                ? combined(number, Double.valueOf(element))
                : combined(before, Double.valueOf(element));
    }

    private void addAny(Object element, Last<Object> last) throws Exception {
        last.value = combined(last.value, element);
    }

    @SuppressWarnings("unchecked")
    private Object combined(Object before, Object element) throws Exception {
        return Step.required(((ThrowingBiFunction<Object, Object, Object>) function).apply(before, element), "fold");
    }

    @SuppressWarnings("unchecked")
    private static Last<Object> last(@Nullable Object[] states, int at) {
        return (Last<Object>) Step.state(states, at);
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
