package io.millrace.streams.operator;

import org.jspecify.annotations.Nullable;

/** What waits at the inputs of a junction, at most one element each. Belongs to one stage. */
public final class WaitingElements<T> {
    private final @Nullable Object[] elements;
    private final boolean[] closed;
    private int missingCount;
    private int overCount;

    public WaitingElements(int inputCount) {
        elements = new Object[inputCount];
        closed = new boolean[inputCount];
        missingCount = inputCount;
    }

    public int inputCount() {
        return closed.length;
    }

    /** The element that waits at this input, if there is one. */
    @SuppressWarnings("unchecked")
    @Nullable
    public T element(int input) {
        return (T) elements[input];
    }

    /** Whether this input has completed and nothing waits there. */
    public boolean isOver(int input) {
        return closed[input] && elements[input] == null;
    }

    /** Whether nothing can come any more. */
    public boolean areAllOver() {
        return overCount == closed.length;
    }

    /** Whether an element waits at each input that can still have one. */
    public boolean areAllThere() {
        return missingCount == 0;
    }

    /** Adds an element at an input where none waits and that has not completed. */
    public void add(int input, T element) {
        elements[input] = element;
        missingCount--;
    }

    /** Notes that an input has completed. */
    public void close(int input) {
        closed[input] = true;
        if (elements[input] == null) {
            missingCount--;
            overCount++;
        }
    }

    public T take(int input) {
        T taken = element(input);
        if (taken == null) {
            throw new IllegalStateException("nothing waits at input " + input + " of " + closed.length);
        }
        elements[input] = null;
        if (closed[input]) {
            overCount++;
        } else {
            missingCount++;
        }
        return taken;
    }
}
