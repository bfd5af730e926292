package io.millrace.streams.operator.timing;

import io.millrace.streams.failure.BufferOverflowException;
import io.millrace.streams.graph.OverflowStrategy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Elements that wait, up to so many, and what becomes of those for which there is no room; belongs to an island. */
final class BoundedBuffer<T> {
    private final Deque<T> elements = new ArrayDeque<>();
    private final int capacity;
    private final OverflowStrategy strategy;

    BoundedBuffer(int capacity, OverflowStrategy strategy) {
        this.capacity = checkedCapacity(capacity);
        this.strategy = Objects.requireNonNull(strategy, "strategy");
    }

    static int checkedCapacity(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("the capacity of a buffer must be at least 1, not " + capacity);
        }
        return capacity;
    }

    @Nullable
    T peek() {
        return elements.peek();
    }

    @Nullable
    T poll() {
        return elements.poll();
    }

    boolean isEmpty() {
        return elements.isEmpty();
    }

    /** Whether one more element may be asked for. */
    boolean takesMore() {
        return elements.size() < capacity || strategy != OverflowStrategy.BACKPRESSURE;
    }

    /** Adds an element; hands back what the stage must fail with, if there is no room and the strategy says so. */
    @Nullable
    BufferOverflowException add(T element) {
        if (elements.size() < capacity) {
            elements.add(element);
            return null;
        }
        return overflow(element);
    }

    private @Nullable BufferOverflowException overflow(T element) {
        switch (strategy) {
            case BACKPRESSURE -> throw new IllegalStateException("a full buffer has asked for an element");
            case FAIL -> {
                return new BufferOverflowException("the buffer is full with " + capacity + " elements");
            }
            case DROP_NEW -> {
                return null;
            }
            case DROP_HEAD -> elements.removeFirst();
            case DROP_TAIL -> elements.removeLast();
            case DROP_BUFFER -> elements.clear();
        }
        elements.add(element);
        return null;
    }
}
