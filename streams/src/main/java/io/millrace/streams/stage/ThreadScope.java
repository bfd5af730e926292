package io.millrace.streams.stage;

import io.millrace.streams.graph.Shape;
import org.jspecify.annotations.Nullable;

/**
 * The scope of each thread, in an array of one, which is found once and read and written twice or more for each run. It is of no class of this library, so that a
 * thread that outlives the library, as in a container, keeps nothing of it.
 */
final class ThreadScope {
    private static final ThreadLocal<@Nullable Object[]> CURRENT = ThreadLocal.withInitial(() -> new Object[1]);

    private ThreadScope() {}

    static @Nullable StageScope current() {
        return (StageScope) CURRENT.get()[0];
    }

    static @Nullable StageScope enter(@Nullable StageScope scope) {
        Object[] place = CURRENT.get();
        StageScope previous = (StageScope) place[0];
        place[0] = scope;
        return previous;
    }

    static StageBinding bind(GraphStageLogic logic, Shape shape) {
        StageScope scope = current();
        if (scope == null) {
            throw new IllegalStateException(logic.getClass().getName()
                    + " was made outside of a run: make a stage's logic in createLogic only");
        }
        return scope.bind(logic, shape);
    }

    static StageBinding active() {
        StageScope scope = current();
        if (scope == null) {
            throw new IllegalStateException(
                    "no stage is running on this thread: handlers are called by the engine only");
        }
        return scope.active();
    }
}
