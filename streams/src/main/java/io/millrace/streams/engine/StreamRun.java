package io.millrace.streams.engine;

import io.millrace.streams.AbruptTerminationException;
import io.millrace.streams.EdgeSnapshot;
import io.millrace.streams.IslandSnapshot;
import io.millrace.streams.StreamException;
import io.millrace.streams.StreamSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One run of a plan: its islands, and how they end together.
 *
 * <p><b>Threads</b>: made by the thread that runs the graph; then shared by its islands and by who closes or looks.<br>
 * <b>Owned</b>: nothing after the launch.<br>
 * <b>Shared</b>: {@code abortCause}: set once, by compare-and-set, before the islands are woken; {@code liveIslands}:
 * counted down by each island as it finishes.<br>
 * <b>States</b>: running -> aborted by the first cause; running or aborted -> finished with the last island.<br>
 * <b>Proved by</b>: MaterializationTest, LifecycleTest.
 */
final class StreamRun {
    private static final @Nullable Boundary[] NO_BOUNDARIES = {};

    private final Engine engine;
    private final Plan plan;
    private final long id;
    private final Island[] islands;
    private final @Nullable Boundary[] boundaries;
    private int boundaryCount;
    private final AtomicReference<@Nullable Throwable> abortCause = new AtomicReference<>();
    private final AtomicInteger liveIslands;
    private boolean finished;

    StreamRun(Engine engine, Plan plan, long id) {
        this.engine = engine;
        this.plan = plan;
        this.id = id;
        islands = new Island[plan.islandCount()];
        boundaries = plan.boundaryCount() == 0 ? NO_BOUNDARIES : new Boundary[plan.boundaryCount()];
        liveIslands = new AtomicInteger(islands.length);
        for (int i = 0; i < islands.length; i++) {
            islands[i] = new Island(this, plan.executor(i, engine), plan.stageCount(i), plan.edgeCount(i));
        }
    }

    Engine engine() {
        return engine;
    }

    Island island(int index) {
        return islands[index];
    }

    /** Draws the order of an island's events, when that is to be random. */
    @Nullable
    SplittableRandom eventOrder() {
        OptionalLong seed = engine.settings().shuffleSeed();
        return seed.isPresent() ? new SplittableRandom(seed.getAsLong() + id) : null;
    }

    /** Notes the next boundary, in the order of the plan's edges. */
    void add(Boundary boundary) {
        boundaries[boundaryCount++] = boundary;
    }

    String name() {
        return plan.streamName() + "#" + id;
    }

    String stageName(int index) {
        return plan.stageName(index);
    }

    void launch() {
        for (Island island : islands) {
            island.launch();
        }
    }

    /** Releases what was made of a run that could not be put together. */
    void discard(Throwable cause) {
        abortCause.compareAndSet(null, cause);
        for (Island island : islands) {
            island.discard(cause);
        }
        finish();
    }

    /** Ends all islands by force; only the first cause counts. */
    void abort(Throwable cause) {
        if (abortCause.compareAndSet(null, cause)) {
            for (Island island : islands) {
                island.wake();
            }
        }
    }

    void abortByClosing() {
        abort(new AbruptTerminationException("stream " + name() + " ended because runtime "
                + engine.settings().name() + " was closed"));
    }

    boolean isAborted() {
        return abortCause.get() != null;
    }

    @Nullable
    Throwable abortCause() {
        return abortCause.get();
    }

    void startFailed(StageCell cell, Throwable failure) {
        StreamException placed = place(cell.name(), "preStart failed", failure);
        engine.report(placed);
        abort(placed);
    }

    void report(String stage, String what, Throwable failure) {
        engine.report(place(stage, what, failure));
    }

    StreamException place(String stage, String what, Throwable failure) {
        return new StreamException("stream " + name() + ", stage " + stage + ": " + what + ": " + failure, failure);
    }

    void islandFinished() {
        if (liveIslands.decrementAndGet() == 0) {
            finish();
        }
    }

    private void finish() {
        engine.remove(this);
        synchronized (this) {
            finished = true;
            notifyAll();
        }
    }

    /** Waits until all islands have finished; whether they have. */
    synchronized boolean awaitFinished(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!finished) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (leftMillis <= 0) {
                return false;
            }
            wait(leftMillis);
        }
        return true;
    }

    StreamSnapshot snapshot() {
        List<IslandSnapshot> shots = new ArrayList<>(islands.length);
        for (Island island : islands) {
            shots.add(island.snapshot());
        }
        return new StreamSnapshot(plan.streamName(), id, shots, boundarySnapshots());
    }

    private List<EdgeSnapshot> boundarySnapshots() {
        List<EdgeSnapshot> shots = new ArrayList<>(boundaries.length);
        int next = 0;
        for (int e = 0; e < plan.edges.length; e += 4) {
            int from = plan.edges[e];
            int to = plan.edges[e + 2];
            if (plan.islandOfStage[from] != plan.islandOfStage[to]) {
                Boundary boundary = boundaries[next++];
                if (boundary != null) {
                    shots.add(boundary.snapshot(from, to));
                }
            }
        }
        return shots;
    }
}
