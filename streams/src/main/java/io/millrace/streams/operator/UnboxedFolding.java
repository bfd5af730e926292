package io.millrace.streams.operator;

import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.engine.Step;
import io.millrace.streams.operator.Folding.Last;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Folding} that keeps numbers without their boxes until the function is called, for the reason that {@link Unboxed} gives: so
 * they are taken out before the state is looked at, and what there is has its type looked at by then.
 */
record UnboxedFolding(Object zero, ThrowingBiFunction<Object, Object, Object> function)
        implements Accumulation<Object> {
    @Override
    public Object begin() {
        return new Last<>(zero);
    }

    @Override
    public void add(Object element, @Nullable Object[] states, int at) throws Exception {
        if (element instanceof Integer boxed) {
            addInt(boxed, Last.of(states, at));
        } else if (element instanceof Long boxed) {
            addLong(boxed, Last.of(states, at));
        } else if (element instanceof Double boxed) {
            addDouble(boxed, Last.of(states, at));
        } else {
            addAny(element, Last.of(states, at));
        }
    }

    @Override
    public Accumulation<Object> unboxed() {
        return this;
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

    private Object combined(Object before, Object element) throws Exception {
        return Step.required(function.apply(before, element), "fold");
    }
}
