package io.millrace.streams.stage;

import io.millrace.streams.graph.Shape;
import org.jspecify.annotations.Nullable;

/**
 * The part of the engine that makes or calls stages on a thread at the moment: the engine implements and enters it. It is not for stages.
 * A logic that is made in it is bound to it, and the defaults of handlers find the running stage by it.
 */
public interface StageScope {
    /** The scope of this thread, if it has one. */
    static @Nullable StageScope current() {
        return ThreadScope.current();
    }

    /** Gives this thread a scope, or none, and returns the one that it had. */
    static @Nullable StageScope enter(@Nullable StageScope scope) {
        return ThreadScope.enter(scope);
    }

    /** Binds a logic that is being made. */
    StageBinding bind(GraphStageLogic logic, Shape shape);

    /** The stage whose handler runs on this thread. */
    StageBinding active();
}
