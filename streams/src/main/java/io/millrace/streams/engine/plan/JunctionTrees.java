package io.millrace.streams.engine.plan;

import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the trees of junctions in a graph that run as one, in O(n). */
final class JunctionTrees {
    private static final int NONE = -1;

    private final FlatGraph graph;
    /** The line that a line's inlets belong to instead, or one on the way to it; or NONE. Empty as long as there is no tree. */
    private int[] absorber = {};
    /** The edges at the inlets of lines that are part of a tree. */
    private int[] @Nullable [] inEdges = {};
    /** Whether an edge connects two lines of one tree; the input of the tree to which it goes if not. */
    private boolean[] isInside = {};

    private int[] inputOfEdge = {};

    JunctionTrees(FlatGraph graph) {
        this.graph = graph;
    }

    /** Called when all edges are known. */
    private void open() {
        int count = graph.lineCount();
        absorber = new int[count];
        inEdges = new int[count][];
        Arrays.fill(absorber, NONE);
        isInside = new boolean[graph.edges().count()];
        inputOfEdge = new int[isInside.length];
    }

    private boolean isEmpty() {
        return absorber.length == 0;
    }

    /** Has the line behind an edge absorb the one before it, if it may; both are in one island. */
    void absorb(int edge) {
        int from = graph.edges().from(edge);
        int to = graph.edges().to(edge);
        if (graph.first(to) instanceof Absorbing below
                && graph.first(from) instanceof Absorbing
                && graph.firstAttributes(from) == graph.firstAttributes(to)
                && below.absorbs(graph.first(from), graph.edges().inlet(edge))
                && from != to
                && (isEmpty() || rootOf(to) != from)) {
            if (isEmpty()) {
                open();
            }
            absorber[from] = rootOf(to);
            isInside[edge] = true;
            noteInlets(from);
            noteInlets(to);
        }
    }

    private void noteInlets(int line) {
        if (inEdges[line] == null) {
            inEdges[line] = new int[graph.first(line).shape().inlets().size()];
        }
    }

    boolean isAbsorbed(int line) {
        return !isEmpty() && absorber[line] != NONE;
    }

    /** Whether a line stands for others besides itself. */
    boolean isRoot(int line) {
        return !isEmpty() && inEdges[line] != null && absorber[line] == NONE;
    }

    /** The line that has the inlets of this one; on the way there, the way is shortened. */
    int rootOf(int line) {
        int root = line;
        while (absorber[root] != NONE) {
            int above = absorber[root];
            if (absorber[above] != NONE) {
                absorber[root] = absorber[above];
            }
            root = above;
        }
        return root;
    }

    /** Called when all edges have been seen. */
    void close() {
        EdgeTable edges = graph.edges();
        for (int e = 0; !isEmpty() && e < edges.count(); e++) {
            int[] inlets = inEdges[edges.to(e)];
            if (inlets != null) {
                inlets[edges.inlet(e)] = e;
            }
        }
    }

    /** Whether an edge connects two lines of one tree. */
    boolean isInside(int edge) {
        return !isEmpty() && isInside[edge];
    }

    /** The inlet to which an edge goes. */
    int inletOf(int edge) {
        EdgeTable edges = graph.edges();
        return isEmpty() || inEdges[edges.to(edge)] == null ? edges.inlet(edge) : inputOfEdge[edge];
    }

    /** What stands for the tree of a root; numbers its inputs. */
    GraphStageWithMaterializedValue<?, ?> stageOf(int root) {
        List<GraphStageWithMaterializedValue<?, ?>> junctions = new ArrayList<>();
        List<int[]> children = new ArrayList<>();
        int inputCount = 0;
        Walk walk = new Walk(NONE, 0, null);
        walk = enter(root, walk, junctions, children);
        while (walk.above != null) {
            int[] own = children.get(walk.junction);
            if (walk.place == own.length) {
                walk = walk.above;
                continue;
            }
            int place = walk.place++;
            int edge = inEdgesOf(walk.line)[place];
            if (isInside(edge)) {
                own[place] = junctions.size();
                walk = enter(graph.edges().from(edge), walk, junctions, children);
            } else {
                own[place] = JunctionTree.input(inputCount);
                inputOfEdge[edge] = inputCount++;
            }
        }
        return ((Absorbing) graph.first(root)).ofTree(new JunctionTree(junctions, children, inputCount));
    }

    private Walk enter(
            int line, Walk above, List<GraphStageWithMaterializedValue<?, ?>> junctions, List<int[]> children) {
        children.add(new int[inEdgesOf(line).length]);
        junctions.add(graph.first(line));
        return new Walk(line, junctions.size() - 1, above);
    }

    private int[] inEdgesOf(int line) {
        int[] inlets = inEdges[line];
        if (inlets == null) {
            throw new IllegalStateException("line " + line + " is no part of a tree");
        }
        return inlets;
    }

    /** Where the walk through a tree is in one of its junctions. */
    private static final class Walk {
        private final int line;
        private final int junction;
        private final @Nullable Walk above;
        private int place;

        Walk(int line, int junction, @Nullable Walk above) {
            this.line = line;
            this.junction = junction;
            this.above = above;
        }
    }
}
