package io.millrace.streams.engine;

import io.millrace.streams.Attributes;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import java.util.Arrays;
import java.util.List;

/**
 * Joins adjacent synchronous operators of one island to segments, and trees of merges to one merge, in O(n). What is left
 * are the nodes of the plan: other stages as they are, and segments and trees as one stage each, numbered in the order of
 * their first operators or of the root.
 */
final class Fusion {
    private static final int NONE = -1;

    private final List<GraphStageWithMaterializedValue<?, ?>> stages;
    private final List<Attributes> attributes;
    private final int[] islandOfStage;
    private final int[] edges;
    private final int edgeLength;
    /** The operator that an operator is joined to, behind it; or NONE. */
    private final int[] next;

    private final boolean[] joined;
    /** The stage that a stage's inlets belong to instead, or one on the way to it; or NONE. */
    private final int[] absorber;
    /** How many inlets a stage has with those that it absorbed. */
    private final int[] inputs;
    /** Whether the edge behind an operator is inside a segment. */
    private final boolean[] interior;
    /** Whether an operator's one edge goes over a boundary. */
    private final boolean[] beforeBoundary;

    private final boolean[] afterBoundary;

    private final int[] nodeOfStage;
    private int nodeCount;
    private final GraphStageWithMaterializedValue<?, ?>[] nodes;
    private final Attributes[] nodeAttributes;
    private final int[] islandOfNode;

    private Fusion(
            List<GraphStageWithMaterializedValue<?, ?>> stages,
            List<Attributes> attributes,
            int[] islandOfStage,
            int[] edges,
            int edgeLength) {
        int count = stages.size();
        this.stages = stages;
        this.attributes = attributes;
        this.islandOfStage = islandOfStage;
        this.edges = edges;
        this.edgeLength = edgeLength;
        next = new int[count];
        joined = new boolean[count];
        absorber = new int[count];
        inputs = new int[count];
        interior = new boolean[count];
        beforeBoundary = new boolean[count];
        afterBoundary = new boolean[count];
        nodeOfStage = new int[count];
        nodes = new GraphStageWithMaterializedValue<?, ?>[count];
        nodeAttributes = new Attributes[count];
        islandOfNode = new int[count];
        Arrays.fill(next, NONE);
        Arrays.fill(absorber, NONE);
        Arrays.fill(nodeOfStage, NONE);
    }

    static Fusion of(
            List<GraphStageWithMaterializedValue<?, ?>> stages,
            List<Attributes> attributes,
            int[] islandOfStage,
            int[] edges,
            int edgeLength) {
        Fusion fusion = new Fusion(stages, attributes, islandOfStage, edges, edgeLength);
        fusion.join();
        fusion.makeNodes();
        return fusion;
    }

    /** Notes which operators can run as one with the operator behind them. */
    private void join() {
        for (int e = 0; e < edgeLength; e += 4) {
            int from = edges[e];
            int to = edges[e + 2];
            if (islandOfStage[from] != islandOfStage[to]) {
                beforeBoundary[from] = true;
                afterBoundary[to] = true;
            } else if (from != to
                    && (stages.get(from) instanceof Fusable first)
                    && !(first instanceof Fusable.ByTerminal)
                    && (stages.get(to) instanceof Fusable.ByStep || stages.get(to) instanceof Fusable.ByTerminal)) {
                next[from] = to;
                joined[to] = true;
            } else if (isTree(from, to)) {
                absorb(from, to);
            }
        }
    }

    private boolean isTree(int from, int to) {
        return stages.get(from) instanceof Absorbing
                && stages.get(from).getClass() == stages.get(to).getClass()
                && attributes.get(from) == attributes.get(to)
                && rootOf(to) != from;
    }

    private void absorb(int stage, int into) {
        int root = rootOf(into);
        inputs[root] = inputsOf(root) + inputsOf(stage) - 1;
        absorber[stage] = root;
        interior[stage] = true;
    }

    private int inputsOf(int stage) {
        return inputs[stage] == 0 ? stages.get(stage).shape().inlets().size() : inputs[stage];
    }

    /** The stage that has the inlets of this one; on the way there, the way is shortened. */
    private int rootOf(int stage) {
        int root = stage;
        while (absorber[root] != NONE) {
            int above = absorber[root];
            if (absorber[above] != NONE) {
                absorber[root] = absorber[above];
            }
            root = above;
        }
        return root;
    }

    private void makeNodes() {
        for (int stage = 0; stage < next.length; stage++) {
            if (!joined[stage] && absorber[stage] == NONE) {
                addNodes(stage);
            }
        }
        for (int stage = 0; stage < next.length; stage++) {
            if (absorber[stage] != NONE) {
                nodeOfStage[stage] = nodeOfStage[rootOf(stage)];
            } else if (nodeOfStage[stage] == NONE) {
                addNodes(stage);
            }
        }
    }

    /** Makes the nodes of a line of operators, given its first; a ring begins anywhere. */
    private void addNodes(int first) {
        int stage = first;
        while (stage != NONE && nodeOfStage[stage] == NONE) {
            int operators = 0;
            int steps = 0;
            int last = NONE;
            int end = stage;
            while (end != NONE && nodeOfStage[end] == NONE && steps < Segment.MOST_STEPS) {
                nodeOfStage[end] = nodeCount;
                if (last != NONE) {
                    interior[last] = true;
                }
                last = end;
                operators++;
                steps += stages.get(end) instanceof Fusable.ByOrigin || stages.get(end) instanceof Fusable.ByExpansion
                        ? 0
                        : 1;
                end = next[end];
            }
            nodes[nodeCount] = node(stage, operators);
            nodeAttributes[nodeCount] = attributes.get(stage);
            islandOfNode[nodeCount] = islandOfStage[stage];
            nodeCount++;
            stage = end;
        }
    }

    private GraphStageWithMaterializedValue<?, ?> node(int first, int count) {
        if (stages.get(first) instanceof Absorbing root && inputs[first] != 0) {
            return root.withInputs(inputs[first]);
        }
        if (!(stages.get(first) instanceof Fusable)) {
            return stages.get(first);
        }
        Fusable[] operators = new Fusable[count];
        Attributes[] operatorAttributes = new Attributes[count];
        int stage = first;
        int last = first;
        for (int i = 0; i < count; i++) {
            last = stage;
            operators[i] = (Fusable) stages.get(stage);
            operatorAttributes[i] = attributes.get(stage);
            stage = next[stage];
        }
        return new SegmentStage(new Segment(operators, operatorAttributes, afterBoundary[first], beforeBoundary[last]));
    }

    GraphStageWithMaterializedValue<?, ?>[] nodes() {
        return Arrays.copyOf(nodes, nodeCount);
    }

    Attributes[] nodeAttributes() {
        return Arrays.copyOf(nodeAttributes, nodeCount);
    }

    int[] islandOfNode() {
        return Arrays.copyOf(islandOfNode, nodeCount);
    }

    /** The edges between nodes. */
    int[] edgesOfNodes() {
        int[] kept = new int[edgeLength];
        int[] nextInput = new int[inputs.length];
        int length = 0;
        for (int e = 0; e < edgeLength; e += 4) {
            if (!interior[edges[e]]) {
                kept[length] = nodeOfStage[edges[e]];
                kept[length + 1] = edges[e + 1];
                int to = rootOf(edges[e + 2]);
                kept[length + 2] = nodeOfStage[to];
                kept[length + 3] = inputs[to] == 0 ? edges[e + 3] : nextInput[to]++;
                length += 4;
            }
        }
        return Arrays.copyOf(kept, length);
    }

    /** The node that has the materialized value of a stage, or -1 when that is nothing of use. */
    int valueNode(int stage) {
        boolean plain = !(stages.get(stage) instanceof Fusable) || stages.get(stage) instanceof Fusable.ByTerminal;
        return plain ? nodeOfStage[stage] : NONE;
    }
}
