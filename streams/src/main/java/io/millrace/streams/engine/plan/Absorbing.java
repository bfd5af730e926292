package io.millrace.streams.engine.plan;

import io.millrace.streams.stage.GraphStageWithMaterializedValue;

/**
 * A stage with one outlet, to which an inlet fed by another such stage can be as good as the other's inlets in its place: a
 * tree of them in one island runs as one.
 */
public interface Absorbing {
    /** Whether the inlets of that stage may stand in place of this inlet, which it feeds. */
    boolean absorbs(GraphStageWithMaterializedValue<?, ?> above, int inlet);

    /** The stage that stands for a tree of which this is the root. */
    GraphStageWithMaterializedValue<?, ?> ofTree(JunctionTree tree);
}
