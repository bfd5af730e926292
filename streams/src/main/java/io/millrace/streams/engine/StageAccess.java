package io.millrace.streams.engine;

import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The engine's one way from a stage's logic to the engine's state for it; the logic's class installs it. */
@FunctionalInterface
public interface StageAccess {
    /** The engine's state for this stage. */
    StageContext contextOf(GraphStageLogic logic);

    /** Called once, when the logic's class is initialised. */
    static void install(StageAccess access) {
        Holder.access = access;
    }

    /** The engine's state for this stage. */
    static StageContext context(GraphStageLogic logic) {
        return Objects.requireNonNull(Holder.access, "access").contextOf(logic);
    }

    /** Keeps what was installed. */
    final class Holder {
        private static volatile @Nullable StageAccess access;

        private Holder() {}
    }
}
