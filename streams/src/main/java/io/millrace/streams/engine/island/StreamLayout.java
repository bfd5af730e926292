package io.millrace.streams.engine.island;

/** What a run has to know of the plan that it was made from. The plan is the only one: the interface keeps islands from knowing plans. */
public interface StreamLayout {
    /** The name of all runs. */
    String streamName();

    /** The path of the operator of this number. */
    String stageName(int stage);

    /** How many messages of one actor of this stage are handled before its island turns to other outside events. */
    int drainBatch(int stage, int byDefault);

    /** Visits the edges that lead from one island to another, in the order of their boundaries. */
    void forEachBoundary(EdgeVisitor visitor);

    /** Sees an edge between two stages. */
    interface EdgeVisitor {
        void visit(int fromStage, int toStage);
    }
}
