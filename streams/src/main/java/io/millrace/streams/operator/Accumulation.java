package io.millrace.streams.operator;

import io.millrace.streams.engine.segment.StepPart;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** A {@link Folding}, or the same in the form for lines that are compiled for themselves; both share the state of a run. */
public interface Accumulation<I> extends StepPart {
    /** The state of a run. */
    Object begin();

    /** Takes an element into the state at this place. */
    void add(I element, @Nullable Object[] states, int at) throws Exception;

    /** The function of the user's that it calls for each element, or itself if it calls none. */
    default Object function() {
        return this;
    }

    /** The same as {@link #add}, given its function. */
    default void addWith(Object function, I element, @Nullable Object[] states, int at) throws Exception {
        add(element, states, at);
    }

    /** The same, keeping numbers without their boxes. */
    Accumulation<I> unboxed(boolean takesNewObjects);

    /** What all elements have made. */
    default Object result(@Nullable Object state) {
        Object made = Accumulated.of(state).get();
        if (made == null) {
            throw new NoSuchElementException("the stream completed without an element");
        }
        return made;
    }
}
