package io.millrace.streams.operator;

import org.jspecify.annotations.Nullable;

/** What waits at the inputs of a junction, at most one element each. Belongs to one stage. */
final class WaitingElements<T> {
    private final @Nullable Object[] elements;
    private final boolean[] closed;

    WaitingElements(int inputCount) {
        elements = new Object[inputCount];
        closed = new boolean[inputCount];
    }

    int inputCount() {
        return closed.length;
    }

    /** The element that waits at this input, if there is one. */
    @SuppressWarnings("unchecked")
    @Nullable
    T element(int input) {
        return (T) elements[input];
    }

    /** Whether this input has completed and nothing waits there. */
    boolean isOver(int input) {
        return closed[input] && elements[input] == null;
    }

    /** Whether nothing can come any more. */
    boolean areAllOver() {
        for (int i = 0; i < closed.length; i++) {
            if (!isOver(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether an element waits at each input that can still have one. */
    boolean areAllThere() {
        for (int i = 0; i < closed.length; i++) {
            if (elements[i] == null && !closed[i]) {
                return false;
            }
        }
        return true;
    }

    void add(int input, T element) {
        elements[input] = element;
    }

    void close(int input) {
        closed[input] = true;
    }

    T take(int input) {
        T taken = element(input);
        if (taken == null) {
            throw new IllegalStateException("nothing waits at input " + input + " of " + closed.length);
        }
        elements[input] = null;
        return taken;
    }
}
