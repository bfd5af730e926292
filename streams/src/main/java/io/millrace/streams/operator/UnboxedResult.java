package io.millrace.streams.operator;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.ThrowingBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Folding} that keeps what there is without its box, if it is a number, until the function is called; elements, which were objects before they came, stay
 * what they are. It has code of its own beside {@link UnboxedFolding}, for in a process that uses both, neither would be inlined any more.
 */
public record UnboxedResult(String operator, @Nullable Object zero, ThrowingBiFunction<Object, Object, Object> function)
        implements Accumulation<Object> {
    @Override
    public Object begin() {
        return new Accumulated(zero);
    }

    @Override
    public void add(Object element, @Nullable Object[] states, int at) throws Exception {
        Accumulated to = Accumulated.of(states, at);
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

    @Override
    public Accumulation<Object> unboxed(boolean takesNewObjects) {
        return this;
    }

    private void combine(@Nullable Object before, Object element, Accumulated to) throws Exception {
        to.unbox(before == null ? element : Step.required(function.apply(before, element), operator));
    }
}
