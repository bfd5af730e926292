package io.millrace.streams.engine.island;

import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.ContextHook;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What a runtime tells its engine about how to run streams. The runtime's own settings are the only ones: the interface keeps the engine
 * from knowing the runtime.
 */
public interface EngineSettings {
    String name();

    /** Where islands run; empty for threads of the engine's own. */
    Optional<Executor> executor();

    int threads();

    Duration idleSearch();

    int eventBudget();

    int islandBudget();

    int drainBatch();

    int inputBuffer();

    Duration closeTimeout();

    Consumer<StreamException> failureReporter();

    OptionalLong shuffleSeed();

    Optional<ContextHook> contextHook();
}
