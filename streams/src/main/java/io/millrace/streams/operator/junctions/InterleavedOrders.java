package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.plan.JunctionTree;
import java.util.List;

/** In turn, by one junction or by a tree of them that complete as late as they can. */
final class InterleavedOrders<T> implements MergeOrders<T> {
    /** How many elements go in a turn, for each junction. */
    private final int[] segmentSizes;

    private final JunctionTree tree;
    private final boolean eagerComplete;

    private InterleavedOrders(int[] segmentSizes, List<int[]> children, int inputCount, boolean eagerComplete) {
        this.segmentSizes = segmentSizes;
        tree = new JunctionTree(List.of(), children, inputCount);
        this.eagerComplete = eagerComplete;
    }

    static <T> InterleavedOrders<T> ofOne(int inputCount, int segmentSize, boolean eagerComplete) {
        int[] inputs = new int[Math.max(0, inputCount)];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = JunctionTree.input(i);
        }
        return new InterleavedOrders<>(new int[] {segmentSize}, List.of(inputs), inputs.length, eagerComplete);
    }

    @Override
    public MergeOrder<T> newOrder(int inputCount) {
        return new InterleavedOrder<>(segmentSizes, tree, eagerComplete);
    }

    @Override
    public boolean absorbs(MergeOrders<?> above) {
        return !eagerComplete && above instanceof InterleavedOrders<?> interleaved && !interleaved.eagerComplete;
    }

    @Override
    public MergeOrders<T> ofTree(List<MergeOrders<?>> all, JunctionTree whole) {
        int[] sizes = new int[all.size()];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = ((InterleavedOrders<?>) all.get(i)).segmentSizes[0];
        }
        return new InterleavedOrders<>(sizes, whole.children(), whole.inputCount(), false);
    }
}
