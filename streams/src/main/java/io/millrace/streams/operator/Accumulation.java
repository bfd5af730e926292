package io.millrace.streams.operator;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@link Folding}, or the same in the form for lines that are compiled for themselves. */
interface Accumulation<I> {
    /** The state of a run. */
    Object begin();

    /** Takes an element into the state at this place. */
    void add(I element, @Nullable Object[] states, int at) throws Exception;

    /** The same, keeping numbers without their boxes. */
    Accumulation<I> unboxed();

    /** What all elements have made. */
    @SuppressWarnings("unchecked")
    default Object result(@Nullable Object state) {
        return ((Folding.Last<Object>) Objects.requireNonNull(state, "state")).value;
    }
}
