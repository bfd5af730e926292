package io.millrace.streams.operator;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.ThrowingBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Folding} that keeps numbers without their boxes until the function is called, for the reason that {@link Unboxed} gives: so
 * they are taken out before the state is looked at, and what there is has its type looked at by then.
 */
public record UnboxedFolding(
        String operator, @Nullable Object zero, ThrowingBiFunction<Object, Object, Object> function)
        implements Accumulation<Object> {
    @Override
    public Object begin() {
        return new Accumulated(zero);
    }

    @Override
    public void add(Object element, @Nullable Object[] states, int at) throws Exception {
        if (element instanceof Integer boxed) {
            addInt(boxed, Accumulated.of(states, at));
        } else if (element instanceof Long boxed) {
            addLong(boxed, Accumulated.of(states, at));
        } else if (element instanceof Double boxed) {
            addDouble(boxed, Accumulated.of(states, at));
        } else {
            addAny(element, Accumulated.of(states, at));
        }
    }

    @Override
    public Accumulation<Object> unboxed(boolean takesNewObjects) {
        return this;
    }

    private void addInt(int element, Accumulated to) throws Exception {
        if (to.isInt()) {
            combine(to.asInt(), Integer.valueOf(element), to);
        } else if (to.isLong()) {
            combine(to.asLong(), Integer.valueOf(element), to);
        } else if (to.isDouble()) {
            combine(to.asDouble(), Integer.valueOf(element), to);
        } else {
            combine(to.get(), Integer.valueOf(element), to);
        }
    }

    private void addLong(long element, Accumulated to) throws Exception {
        if (to.isInt()) {
            combine(to.asInt(), Long.valueOf(element), to);
        } else if (to.isLong()) {
            combine(to.asLong(), Long.valueOf(element), to);
        } else if (to.isDouble()) {
            combine(to.asDouble(), Long.valueOf(element), to);
        } else {
            combine(to.get(), Long.valueOf(element), to);
        }
    }

    private void addDouble(double element, Accumulated to) throws Exception {
        if (to.isInt()) {
            combine(to.asInt(), Double.valueOf(element), to);
        } else if (to.isLong()) {
            combine(to.asLong(), Double.valueOf(element), to);
        } else if (to.isDouble()) {
            combine(to.asDouble(), Double.valueOf(element), to);
        } else {
            combine(to.get(), Double.valueOf(element), to);
        }
    }

    private void addAny(Object element, Accumulated to) throws Exception {
        if (to.isInt()) {
            combine(to.asInt(), element, to);
        } else if (to.isLong()) {
            combine(to.asLong(), element, to);
        } else if (to.isDouble()) {
            combine(to.asDouble(), element, to);
        } else {
            combine(to.get(), element, to);
        }
    }

    private void combine(@Nullable Object before, Object element, Accumulated to) throws Exception {
        to.unbox(before == null ? element : Step.required(function.apply(before, element), operator));
    }
}
