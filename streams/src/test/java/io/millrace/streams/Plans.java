package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.engine.plan.Plan;
import io.millrace.streams.engine.plan.PlanCompiler;

/** What a runnable graph is inside, for tests of the engine. */
public final class Plans {
    private Plans() {}

    /** A plan of its own. */
    public static Plan compile(RunnableGraph<?> graph) {
        return PlanCompiler.compile(Blueprint.of(graph));
    }

    public static Object run(Plan plan, StreamRuntime runtime) {
        return runtime.run(plan);
    }
}
