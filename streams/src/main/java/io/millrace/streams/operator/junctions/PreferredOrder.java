package io.millrace.streams.operator.junctions;

import io.millrace.streams.operator.WaitingElements;

/** The element of one input goes before all others, which take turns. */
final class PreferredOrder<T> implements MergeOrder<T> {
    private final int preferred;
    private int last;

    PreferredOrder(int preferred) {
        this.preferred = preferred;
    }

    @Override
    public int next(WaitingElements<T> waiting) {
        if (waiting.element(preferred) != null) {
            return preferred;
        }
        int count = waiting.inputCount();
        for (int i = 1; i <= count; i++) {
            int input = (last + i) % count;
            if (waiting.element(input) != null) {
                last = input;
                return input;
            }
        }
        return WAIT;
    }
}
