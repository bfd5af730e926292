package io.millrace.streams.engine;

import io.millrace.streams.stage.GraphStageWithMaterializedValue;

/**
 * A stage with one outlet that emits what comes at any of its inlets, so that an inlet fed by another such stage is as
 * good as the other's inlets in its place: a tree of them in one island runs as one.
 */
public interface Absorbing {
    /** The stage that stands for a tree of so many inlets. */
    GraphStageWithMaterializedValue<?, ?> withInputs(int count);
}
