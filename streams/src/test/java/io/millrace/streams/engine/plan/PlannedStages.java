package io.millrace.streams.engine.plan;

import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import java.util.List;

/** The stages of a plan, for tests that look into segments. */
public final class PlannedStages {
    private PlannedStages() {}

    public static List<GraphStageWithMaterializedValue<?, ?>> of(Plan plan) {
        return List.of(plan.stages);
    }
}
