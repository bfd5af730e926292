package io.millrace.streams.engine.plan;

import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import java.util.List;

/**
 * A tree of junctions that is to run as one of them: the root is the first, the others follow in the order of their first
 * inlets. The inlets that nothing of the tree feeds are its inputs, numbered from left to right.
 *
 * @param children what feeds each inlet of each junction: another junction by its number, or an input by -1 less its number
 */
public record JunctionTree(
        List<GraphStageWithMaterializedValue<?, ?>> junctions, List<int[]> children, int inputCount) {
    /** How an input stands among the children of a junction, and which input it is that stands there so. */
    public static int input(int number) {
        return -1 - number;
    }
}
