package io.millrace.streams.operator.junctions;

import io.millrace.streams.operator.WaitingElements;

/**
 * Among the inputs that have an element, each goes as often as its weight says: smooth weighted round robin, as in
 * nginx, over those that wait.
 */
final class WeightedOrder<T> implements MergeOrder<T> {
    private final int[] weights;
    private final long[] credits;

    WeightedOrder(int[] weights) {
        this.weights = weights;
        credits = new long[weights.length];
    }

    @Override
    public int next(WaitingElements<T> waiting) {
        int best = WAIT;
        long shared = 0;
        for (int i = 0; i < weights.length; i++) {
            if (waiting.element(i) != null) {
                credits[i] += weights[i];
                shared += weights[i];
                if (best == WAIT || credits[i] > credits[best]) {
                    best = i;
                }
            }
        }
        if (best != WAIT) {
            credits[best] -= shared;
        }
        return best;
    }
}
