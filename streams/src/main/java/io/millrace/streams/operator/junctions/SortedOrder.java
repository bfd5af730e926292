package io.millrace.streams.operator.junctions;

import io.millrace.streams.operator.WaitingElements;
import java.util.Comparator;
import java.util.Objects;

/**
 * The smallest element goes once there is one from each input; of equals, that of the first input. The inputs with an
 * element stand in a binary heap, but for those whose element has come since the last one went.
 */
final class SortedOrder<T> implements MergeOrder<T> {
    private final Comparator<? super T> comparator;
    private final int[] heap;
    private final int[] fresh;
    private int heapCount;
    private int freshCount;

    SortedOrder(Comparator<? super T> comparator, int inputCount) {
        this.comparator = comparator;
        heap = new int[inputCount];
        fresh = new int[inputCount];
    }

    @Override
    public void arrived(int input) {
        fresh[freshCount++] = input;
    }

    @Override
    public int next(WaitingElements<T> waiting) {
        if (!waiting.areAllThere()) {
            return WAIT;
        }
        while (freshCount > 0) {
            freshCount--;
            rise(fresh[freshCount], waiting);
        }
        return heapCount == 0 ? WAIT : takeSmallest(waiting);
    }

    private void rise(int input, WaitingElements<T> waiting) {
        int at = heapCount++;
        while (at > 0 && goesBefore(input, heap[(at - 1) / 2], waiting)) {
            heap[at] = heap[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        heap[at] = input;
    }

    private int takeSmallest(WaitingElements<T> waiting) {
        int smallest = heap[0];
        int sinking = heap[--heapCount];
        int at = 0;
        int below = smallerBelow(at, waiting);
        while (below < heapCount && goesBefore(heap[below], sinking, waiting)) {
            heap[at] = heap[below];
            at = below;
            below = smallerBelow(at, waiting);
        }
        heap[at] = sinking;
        return smallest;
    }

    private int smallerBelow(int at, WaitingElements<T> waiting) {
        int left = 2 * at + 1;
        return left + 1 < heapCount && goesBefore(heap[left + 1], heap[left], waiting) ? left + 1 : left;
    }

    private boolean goesBefore(int one, int other, WaitingElements<T> waiting) {
        int compared = comparator.compare(
                Objects.requireNonNull(waiting.element(one)), Objects.requireNonNull(waiting.element(other)));
        return compared < 0 || (compared == 0 && one < other);
    }
}
