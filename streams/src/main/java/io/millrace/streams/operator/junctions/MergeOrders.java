package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.plan.JunctionTree;
import java.util.List;

/** Makes the order of a junction anew for each run. */
@FunctionalInterface
interface MergeOrders<T> {
    /** The order of one run. */
    MergeOrder<T> newOrder(int inputCount);

    /** Whether one order can stand for this one and that of a junction that feeds it. */
    default boolean absorbs(MergeOrders<?> above) {
        return false;
    }

    /** What stands for a tree of junctions with these orders, in the order of the tree; this is the first of them. */
    default MergeOrders<T> ofTree(List<MergeOrders<?>> all, JunctionTree tree) {
        throw new IllegalStateException("this order stands for one junction only");
    }
}
