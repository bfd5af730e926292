package io.millrace.streams.engine.plan;

import io.millrace.streams.engine.segment.OriginStage;
import io.millrace.streams.engine.segment.Segment;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.engine.segment.SynchronousStage;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import java.util.Arrays;

/**
 * What the walk through a blueprint finds: stages in the order in which they were put together, and the edges between
 * them. A stage and the synchronous operators that follow each other behind it are one line, which has the ports of its
 * ends; most graphs are long lines, and then hold one edge where they would hold many.
 */
final class FlatGraph {
    private GraphStageWithMaterializedValue<?, ?>[] stages = new GraphStageWithMaterializedValue<?, ?>[16];
    private Attributes[] attributes = new Attributes[16];
    private int stageCount;
    /** The first stage of each line. */
    private int[] starts = new int[8];

    private int[] islands = new int[8];
    private int lineCount;
    /** Between lines. */
    private final EdgeTable edges = new EdgeTable(8);

    /** Begins a line with a stage, and says which line that is. */
    int add(GraphStageWithMaterializedValue<?, ?> stage, Attributes own, int island) {
        int line = lineCount++;
        if (line == starts.length) {
            starts = Arrays.copyOf(starts, line * 2);
            islands = Arrays.copyOf(islands, line * 2);
        }
        starts[line] = stageCount;
        islands[line] = island;
        append(stage, own);
        return line;
    }

    /** Puts a step behind the one outlet of a line, and says which line it is in. */
    int append(int line, int outlet, StepStage<?, ?> step, Attributes own, int island) {
        if (line == lineCount - 1
                && islands[line] == island
                && stages[stageCount - 1] instanceof SynchronousStage
                && stageCount - starts[line] < Segment.MAX_STEPS) {
            append(step, own);
            return line;
        }
        int next = add(step, own, island);
        connect(line, outlet, next, 0);
        return next;
    }

    private void append(GraphStageWithMaterializedValue<?, ?> stage, Attributes own) {
        if (stageCount == stages.length) {
            stages = Arrays.copyOf(stages, stageCount * 2);
            attributes = Arrays.copyOf(attributes, stageCount * 2);
        }
        stages[stageCount] = stage;
        attributes[stageCount] = own;
        stageCount++;
    }

    void connect(int from, int outlet, int to, int inlet) {
        edges.add(from, outlet, to, inlet);
    }

    int lineCount() {
        return lineCount;
    }

    int island(int line) {
        return islands[line];
    }

    void setIsland(int line, int island) {
        islands[line] = island;
    }

    /** Whether a line is nothing but an origin that may run anywhere. */
    boolean isPlainOrigin(int line) {
        return length(line) == 1
                && first(line) instanceof OriginStage<?> stage
                && stage.origin().isPlain();
    }

    /** How many stages are in a line. */
    int length(int line) {
        return (line + 1 == lineCount ? stageCount : starts[line + 1]) - starts[line];
    }

    GraphStageWithMaterializedValue<?, ?> first(int line) {
        return stages[starts[line]];
    }

    Attributes firstAttributes(int line) {
        return attributes[starts[line]];
    }

    /** Copies the operators of a line to a place in a longer line. */
    void copy(int line, SynchronousStage<?, ?>[] operators, Attributes[] operatorAttributes, int at) {
        System.arraycopy(stages, starts[line], operators, at, length(line));
        System.arraycopy(attributes, starts[line], operatorAttributes, at, length(line));
    }

    EdgeTable edges() {
        return edges;
    }
}
