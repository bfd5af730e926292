package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.plan.JunctionTree;
import java.util.Comparator;
import java.util.List;

/** Sorted by a comparator: junctions that have the same one sort as one does. */
record SortedOrders<T>(Comparator<? super T> comparator) implements MergeOrders<T> {
    @Override
    public MergeOrder<T> newOrder(int inputCount) {
        return new SortedOrder<>(comparator, inputCount);
    }

    @Override
    public boolean absorbs(MergeOrders<?> above) {
        return above instanceof SortedOrders<?> sorted && sorted.comparator == comparator;
    }

    @Override
    public MergeOrders<T> ofTree(List<MergeOrders<?>> all, JunctionTree tree) {
        return this;
    }
}
