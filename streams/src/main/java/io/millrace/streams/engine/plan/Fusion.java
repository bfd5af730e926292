package io.millrace.streams.engine.plan;

import io.millrace.streams.engine.segment.Segment;
import io.millrace.streams.engine.segment.SegmentStage;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.engine.segment.SynchronousStage;
import io.millrace.streams.engine.segment.TerminalStage;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import java.util.Arrays;

/**
 * Joins adjacent lines of synchronous operators of one island to segments, and trees of junctions to one junction, in O(n).
 * What is left are the nodes of the plan: other stages as they are, and segments and trees as one stage each, numbered in
 * the order of their first lines or of the root.
 */
final class Fusion {
    private static final int NONE = -1;

    private final FlatGraph graph;
    /** The line that a line is joined to, behind it; or NONE. */
    private final int[] next;

    private final boolean[] joined;
    private final JunctionTrees trees;
    /** Whether the edge behind a line is inside a segment. */
    private final boolean[] interior;
    /** Whether a line's one edge goes over a boundary. */
    private final boolean[] beforeBoundary;

    private final boolean[] afterBoundary;

    private final int[] nodeOfLine;
    private int nodeCount;
    private final GraphStageWithMaterializedValue<?, ?>[] nodes;
    private final Attributes[] nodeAttributes;
    private final int[] islandOfNode;

    private Fusion(FlatGraph graph) {
        int count = graph.lineCount();
        this.graph = graph;
        next = new int[count];
        joined = new boolean[count];
        trees = new JunctionTrees(graph);
        interior = new boolean[count];
        beforeBoundary = new boolean[count];
        afterBoundary = new boolean[count];
        nodeOfLine = new int[count];
        nodes = new GraphStageWithMaterializedValue<?, ?>[count];
        nodeAttributes = new Attributes[count];
        islandOfNode = new int[count];
        Arrays.fill(next, NONE);
        Arrays.fill(nodeOfLine, NONE);
    }

    static Fusion of(FlatGraph graph) {
        Fusion fusion = new Fusion(graph);
        fusion.join();
        fusion.makeNodes();
        return fusion;
    }

    /** Notes which lines can run as one with the line behind them. */
    private void join() {
        EdgeTable edges = graph.edges();
        for (int e = 0; e < edges.count(); e++) {
            int from = edges.from(e);
            int to = edges.to(e);
            if (graph.island(from) != graph.island(to)) {
                beforeBoundary[from] = true;
                afterBoundary[to] = true;
            } else if (from != to && graph.first(from) instanceof SynchronousStage && isSteps(to)) {
                next[from] = to;
                joined[to] = true;
            } else {
                trees.absorb(e);
            }
        }
        trees.close();
    }

    /** Whether there is nothing in the line but steps. */
    private boolean isSteps(int line) {
        GraphStageWithMaterializedValue<?, ?> first = graph.first(line);
        return first instanceof StepStage || first instanceof TerminalStage;
    }

    private void makeNodes() {
        for (int line = 0; line < next.length; line++) {
            if (!joined[line] && !trees.isAbsorbed(line)) {
                addNodes(line);
            }
        }
        for (int line = 0; line < next.length; line++) {
            if (trees.isAbsorbed(line)) {
                nodeOfLine[line] = nodeOfLine[trees.rootOf(line)];
            } else if (nodeOfLine[line] == NONE) {
                addNodes(line);
            }
        }
    }

    /** Makes the nodes of lines that are joined, given the first; a ring begins anywhere. */
    private void addNodes(int first) {
        int line = first;
        while (line != NONE && nodeOfLine[line] == NONE) {
            int most = isSteps(line) ? Segment.MAX_STEPS : Segment.MAX_STEPS + 1;
            int operators = 0;
            int last = NONE;
            int end = line;
            while (end != NONE && nodeOfLine[end] == NONE && operators + graph.length(end) <= most) {
                nodeOfLine[end] = nodeCount;
                if (last != NONE) {
                    interior[last] = true;
                }
                operators += graph.length(end);
                last = end;
                end = next[end];
            }
            nodes[nodeCount] = node(line, last, operators);
            nodeAttributes[nodeCount] = graph.firstAttributes(line);
            islandOfNode[nodeCount] = graph.island(line);
            nodeCount++;
            line = end;
        }
    }

    private GraphStageWithMaterializedValue<?, ?> node(int first, int last, int operatorCount) {
        GraphStageWithMaterializedValue<?, ?> stage = graph.first(first);
        if (trees.isRoot(first)) {
            return trees.stageOf(first);
        }
        if (!(stage instanceof SynchronousStage)) {
            return stage;
        }
        SynchronousStage<?, ?>[] operators = new SynchronousStage<?, ?>[operatorCount];
        Attributes[] attributes = new Attributes[operatorCount];
        int line = first;
        for (int at = 0; at < operatorCount; line = next[line]) {
            graph.copy(line, operators, attributes, at);
            at += graph.length(line);
        }
        return new SegmentStage(new Segment(operators, attributes, afterBoundary[first], beforeBoundary[last]));
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
    EdgeTable edgesOfNodes() {
        EdgeTable edges = graph.edges();
        EdgeTable kept = new EdgeTable(edges.count());
        for (int e = 0; e < edges.count(); e++) {
            if (!interior[edges.from(e)] && !trees.isInside(e)) {
                kept.add(nodeOfLine[edges.from(e)], edges.outlet(e), nodeOfLine[edges.to(e)], trees.inletOf(e));
            }
        }
        kept.trim();
        return kept;
    }

    /** The node that has the materialized value of a line, which is that of its first stage, or -1 when that is nothing of use. */
    int valueNode(int line) {
        GraphStageWithMaterializedValue<?, ?> first = graph.first(line);
        boolean plain = !(first instanceof SynchronousStage) || first instanceof TerminalStage;
        return plain ? nodeOfLine[line] : NONE;
    }
}
