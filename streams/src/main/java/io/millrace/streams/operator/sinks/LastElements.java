package io.millrace.streams.operator.sinks;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collector;

/** Collects the last elements of a stream in a list. */
public final class LastElements {
    private LastElements() {}

    /** Up to so many; at least 1. */
    public static <T> Collector<T, ?, List<T>> of(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1, not " + count);
        }
        return Collector.of(
                ArrayDeque<T>::new,
                (kept, element) -> add(kept, element, count),
                (first, second) -> {
                    second.forEach(element -> add(first, element, count));
                    return first;
                },
                List::copyOf);
    }

    private static <T> void add(Deque<T> kept, T element, int count) {
        if (kept.size() == count) {
            kept.removeFirst();
        }
        kept.addLast(element);
    }
}
