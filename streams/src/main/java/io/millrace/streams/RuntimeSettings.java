package io.millrace.streams;

import io.millrace.streams.engine.island.EngineSettings;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ContextHook;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * How a runtime runs its streams; immutable.
 *
 * @param name names the runtime in thread names and messages
 * @param executor where islands run; when empty, the runtime makes its own daemon threads
 * @param threads how many threads of its own it makes, at least 1; while functions keep all of them waiting, or for some milliseconds, and others
 *     want their turn, threads of the blocking workers stand in for them
 * @param idleSearch how long a thread of its own that has nothing to do searches at most before it sleeps, 0 to 1 ms; it searches that
 *     long only while that has paid lately. Longer makes streams start and answer sooner, shorter leaves more of the processor to others
 * @param eventBudget how many events an island handles at most between two outside events, at least 1
 * @param islandBudget how many events and messages an island handles before it gives its thread back, at least 1
 * @param drainBatch how many messages of one stage actor are handled before other outside events get their turn
 * @param inputBuffer how many elements an asynchronous boundary holds, 1 to 65536
 * @param closeTimeout how long closing waits for the streams to end; after a quarter of it, threads of the runtime that are still
 *     in a call are interrupted, and so is the thread that closes, if a stage ends on it; after half of it all futures of the streams fail
 * @param failureReporter told each failure once, with its place: the stream and the operator where it came up; on the thread
 *     where it did
 * @param shuffleSeed when there is one, islands handle their events in an order drawn from it: to test stages
 * @param contextHook when there is one, it carries a context of threads into the streams that they run, and along with elements that go to another island
 */
@SuppressWarnings("exports") // what it implements is not for users
public record RuntimeSettings(
        String name,
        Optional<Executor> executor,
        int threads,
        Duration idleSearch,
        int eventBudget,
        int islandBudget,
        int drainBatch,
        int inputBuffer,
        Duration closeTimeout,
        Consumer<StreamException> failureReporter,
        OptionalLong shuffleSeed,
        Optional<ContextHook> contextHook)
        implements EngineSettings {
    private static final Duration LONGEST_SEARCH = Duration.ofMillis(1);

    public RuntimeSettings {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(idleSearch, "idleSearch");
        Objects.requireNonNull(closeTimeout, "closeTimeout");
        Objects.requireNonNull(failureReporter, "failureReporter");
        Objects.requireNonNull(shuffleSeed, "shuffleSeed");
        Objects.requireNonNull(contextHook, "contextHook");
        requireAtLeastOne("threads", threads);
        requireAtLeastOne("eventBudget", eventBudget);
        requireAtLeastOne("islandBudget", islandBudget);
        requireAtLeastOne("drainBatch", drainBatch);
        inputBuffer = new Attributes.InputBuffer(inputBuffer).elements();
        if (idleSearch.isNegative() || idleSearch.compareTo(LONGEST_SEARCH) > 0) {
            throw new IllegalArgumentException("idleSearch must be from 0 to 1 ms, not " + idleSearch);
        }
    }

    /** One thread per core, at least two; failures go to the system logger {@code io.millrace.streams}. */
    public static RuntimeSettings defaults() {
        return new RuntimeSettings(
                "millrace",
                Optional.empty(),
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                Duration.ofNanos(50_000),
                1024,
                8192,
                16,
                256,
                Duration.ofSeconds(5),
                RuntimeSettings::log,
                OptionalLong.empty(),
                Optional.empty());
    }

    public RuntimeSettings withName(String value) {
        Draft draft = new Draft(this);
        draft.name = value;
        return draft.made();
    }

    public RuntimeSettings withExecutor(Executor value) {
        Draft draft = new Draft(this);
        draft.executor = Optional.of(value);
        return draft.made();
    }

    public RuntimeSettings withThreads(int value) {
        Draft draft = new Draft(this);
        draft.threads = value;
        return draft.made();
    }

    public RuntimeSettings withIdleSearch(Duration value) {
        Draft draft = new Draft(this);
        draft.idleSearch = value;
        return draft.made();
    }

    public RuntimeSettings withEventBudget(int value) {
        Draft draft = new Draft(this);
        draft.eventBudget = value;
        return draft.made();
    }

    public RuntimeSettings withIslandBudget(int value) {
        Draft draft = new Draft(this);
        draft.islandBudget = value;
        return draft.made();
    }

    public RuntimeSettings withDrainBatch(int value) {
        Draft draft = new Draft(this);
        draft.drainBatch = value;
        return draft.made();
    }

    public RuntimeSettings withInputBuffer(int value) {
        Draft draft = new Draft(this);
        draft.inputBuffer = value;
        return draft.made();
    }

    public RuntimeSettings withCloseTimeout(Duration value) {
        Draft draft = new Draft(this);
        draft.closeTimeout = value;
        return draft.made();
    }

    public RuntimeSettings withFailureReporter(Consumer<StreamException> value) {
        Draft draft = new Draft(this);
        draft.failureReporter = value;
        return draft.made();
    }

    public RuntimeSettings withShuffleSeed(long value) {
        Draft draft = new Draft(this);
        draft.shuffleSeed = OptionalLong.of(value);
        return draft.made();
    }

    public RuntimeSettings withContextHook(ContextHook value) {
        Draft draft = new Draft(this);
        draft.contextHook = Optional.of(value);
        return draft.made();
    }

    private static void requireAtLeastOne(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, not " + value);
        }
    }

    private static void log(StreamException failure) {
        System.getLogger("io.millrace.streams").log(System.Logger.Level.ERROR, failure.getMessage(), failure);
    }

    /** The settings on the way to others that differ in one. */
    private static final class Draft {
        private String name;
        private Optional<Executor> executor;
        private int threads;
        private Duration idleSearch;
        private int eventBudget;
        private int islandBudget;
        private int drainBatch;
        private int inputBuffer;
        private Duration closeTimeout;
        private Consumer<StreamException> failureReporter;
        private OptionalLong shuffleSeed;
        private Optional<ContextHook> contextHook;

        Draft(RuntimeSettings from) {
            name = from.name;
            executor = from.executor;
            threads = from.threads;
            idleSearch = from.idleSearch;
            eventBudget = from.eventBudget;
            islandBudget = from.islandBudget;
            drainBatch = from.drainBatch;
            inputBuffer = from.inputBuffer;
            closeTimeout = from.closeTimeout;
            failureReporter = from.failureReporter;
            shuffleSeed = from.shuffleSeed;
            contextHook = from.contextHook;
        }

        RuntimeSettings made() {
            return new RuntimeSettings(
                    name,
                    executor,
                    threads,
                    idleSearch,
                    eventBudget,
                    islandBudget,
                    drainBatch,
                    inputBuffer,
                    closeTimeout,
                    failureReporter,
                    shuffleSeed,
                    contextHook);
        }
    }
}
