package io.millrace.streams.stage;

import io.millrace.streams.graph.Shape;
import org.jspecify.annotations.Nullable;

/** The scope of each thread. */
final class ThreadScope {
    static final ThreadLocal<@Nullable StageScope> CURRENT = new ThreadLocal<>();

    private ThreadScope() {}

    static StageBinding bind(GraphStageLogic logic, Shape shape) {
        StageScope scope = CURRENT.get();
        if (scope == null) {
            throw new IllegalStateException(logic.getClass().getName()
                    + " was made outside of a run: make a stage's logic in createLogic only");
        }
        return scope.bind(logic, shape);
    }

    static StageBinding active() {
        StageScope scope = CURRENT.get();
        if (scope == null) {
            throw new IllegalStateException(
                    "no stage is running on this thread: handlers are called by the engine only");
        }
        return scope.active();
    }
}
