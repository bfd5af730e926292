package io.millrace.streams.engine.island;

import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.StageBinding;

/** From a stage's logic to the engine's state for it. */
public final class StageAccess {
    private StageAccess() {}

    /** The engine's state for this stage. */
    public static StageContext context(GraphStageLogic logic) {
        return (StageContext) StageBinding.of(logic);
    }
}
