package io.millrace.streams.operator;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The smallest element goes once there is one from each input; of equals, that of the first input. */
record SortedOrder<T>(Comparator<? super T> comparator) implements MergeOrder<T> {
    @Override
    public int next(WaitingElements<T> waiting) {
        if (!waiting.areAllThere()) {
            return WAIT;
        }
        int smallest = WAIT;
        @Nullable T smallestElement = null;
        for (int i = 0; i < waiting.inputCount(); i++) {
            T element = waiting.element(i);
            if (element != null && (smallestElement == null || comparator.compare(element, smallestElement) < 0)) {
                smallest = i;
                smallestElement = element;
            }
        }
        return smallest;
    }
}
