package io.millrace.streams.engine.island;

import io.millrace.streams.engine.failure.Described;
import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.engine.pool.DeferredTask;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.inspect.EdgeSnapshot;
import io.millrace.streams.inspect.IslandSnapshot;
import io.millrace.streams.inspect.StreamSnapshot;
import io.millrace.streams.schedule.Durations;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One run of a stream: its islands, and how they end together.
 *
 * <p><b>Threads</b>: made by the thread that runs the graph; then shared by its islands and by who closes or looks.<br>
 * <b>Owned</b>: nothing after the launch.<br>
 * <b>Shared</b>: {@code abortCause}: set once, by compare-and-set, before the islands are woken; {@code liveIslands}:
 * counted down by each island as it finishes; {@code known} and {@code finished}: under the monitor.<br>
 * <b>States</b>: running -> aborted by the first cause; running or aborted -> finished with the last island.<br>
 * <b>Proved by</b>: MaterializationTest, LifecycleTest.
 */
public final class StreamRun {
    private static final int MOST_KNOWN = 8;
    private static final VarHandle ABORT_CAUSE;
    private static final VarHandle LIVE_ISLANDS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ABORT_CAUSE = lookup.findVarHandle(StreamRun.class, "abortCause", Throwable.class);
            LIVE_ISLANDS = lookup.findVarHandle(StreamRun.class, "liveIslands", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Engine engine;
    private final StreamLayout layout;
    private final long id;
    private @Nullable Island firstIsland;
    private @Nullable Boundary firstBoundary;
    private volatile @Nullable Throwable abortCause;

    @SuppressWarnings("UnusedVariable") // counted down by its handle
    private volatile int liveIslands;

    private boolean finished;
    /** The last failures that need not be told any more, in a ring; guarded by this. */
    private @Nullable Throwable @Nullable [] known;

    private int nextKnown;
    /** Links of the engine's list of runs; guarded by the list. */
    @Nullable
    StreamRun previousRun;

    @Nullable
    StreamRun nextRun;

    StreamRun(Engine engine, StreamLayout layout, int islandCount, long id) {
        this.engine = engine;
        this.layout = layout;
        this.id = id;
        liveIslands = islandCount;
    }

    public Engine engine() {
        return engine;
    }

    /** Adds an island in front of those that were added before. */
    public void add(Island island) {
        island.nextInStream = firstIsland;
        firstIsland = island;
    }

    /** Draws the order of an island's events, when that is to be random. */
    @Nullable
    SplittableRandom eventOrder() {
        OptionalLong seed = engine.settings().shuffleSeed();
        return seed.isPresent() ? new SplittableRandom(seed.getAsLong() + id) : null;
    }

    /** Notes the next boundary behind the last one, in the order of the edges of its layout. */
    public void add(Boundary boundary, @Nullable Boundary last) {
        if (last == null) {
            firstBoundary = boundary;
        } else {
            last.nextInStream = boundary;
        }
    }

    String name() {
        return layout.streamName() + "#" + id;
    }

    String stageName(int index) {
        return layout.stageName(index);
    }

    /** How many messages of one actor of this stage are handled before the island turns to other outside events. */
    int drainBatch(int stage) {
        return layout.drainBatch(stage, engine.settings().drainBatch());
    }

    public void launch() {
        for (Island island = firstIsland; island != null; island = island.nextInStream) {
            island.launch();
        }
    }

    /** Launches a run of one island, for whose result the calling thread may be about to wait. */
    public void launch(DeferredTask deferred) {
        if (firstIsland != null) {
            firstIsland.launch(deferred);
        }
    }

    /** Releases what was made of a run that could not be put together. */
    public void discard(Throwable cause) {
        ABORT_CAUSE.compareAndSet(this, null, cause);
        for (Island island = firstIsland; island != null; island = island.nextInStream) {
            island.discard(cause);
        }
        finish();
    }

    /** Ends all islands by force; only the first cause counts. */
    void abort(Throwable cause) {
        if (ABORT_CAUSE.compareAndSet(this, null, cause)) {
            for (Island island = firstIsland; island != null; island = island.nextInStream) {
                island.wake();
            }
        }
    }

    void abortByClosing() {
        abort(new AbruptTerminationException("stream " + name() + " ended because runtime "
                + engine.settings().name() + " was closed"));
    }

    boolean isAborted() {
        return abortCause != null;
    }

    @Nullable
    Throwable abortCause() {
        return abortCause;
    }

    /** Ends it by force for this failure, which is told with its place. */
    void startFailed(StageContext context, Throwable failure) {
        NullElementException.locate(failure, context.name());
        report(context.name(), "preStart failed", failure);
        abort(failure);
    }

    /** The same for what was thrown in a turn, but not by a stage. */
    void turnFailed(Throwable failure) {
        engine.report(new StreamException(
                "stream " + name() + ": the turn of an island failed outside of its stages: " + Described.of(failure),
                failure));
        abort(failure);
    }

    void report(String stage, String what, Throwable failure) {
        note(failure);
        engine.report(place(stage, what, failure));
    }

    /** Notes a failure that is told already, or that came from outside; whether it was noted before. */
    synchronized boolean note(Throwable failure) {
        if (known == null) {
            known = new Throwable[MOST_KNOWN];
        }
        for (Throwable other : known) {
            if (other == failure) {
                return true;
            }
        }
        known[nextKnown] = failure;
        nextKnown = (nextKnown + 1) % MOST_KNOWN;
        return false;
    }

    public StreamException place(String stage, String what, Throwable failure) {
        return new StreamException(
                "stream " + name() + ", stage " + stage + ": " + what + ": " + Described.of(failure), failure);
    }

    /** Has its futures fail though islands of it still run, as their stages are stuck in calls of the user's. */
    void abandon() {
        Throwable cause = abortCause;
        for (Island island = firstIsland; cause != null && island != null; island = island.nextInStream) {
            island.abandon(cause);
        }
    }

    void islandFinished() {
        if ((int) LIVE_ISLANDS.getAndAdd(this, -1) == 1) {
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
        long deadline = System.nanoTime() + Durations.nanos(atMost);
        while (!finished) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (leftMillis <= 0) {
                return false;
            }
            wait(leftMillis);
        }
        return true;
    }

    synchronized boolean isFinished() {
        return finished;
    }

    StreamSnapshot snapshot() {
        List<IslandSnapshot> shots = new ArrayList<>();
        for (Island island = firstIsland; island != null; island = island.nextInStream) {
            shots.add(island.snapshot());
        }
        return new StreamSnapshot(layout.streamName(), id, shots, boundarySnapshots());
    }

    private List<EdgeSnapshot> boundarySnapshots() {
        List<EdgeSnapshot> shots = new ArrayList<>();
        layout.forEachBoundary(new StreamLayout.EdgeVisitor() {
            private @Nullable Boundary next = firstBoundary;

            @Override
            public void visit(int fromStage, int toStage) {
                if (next != null) {
                    shots.add(next.snapshot(fromStage, toStage));
                    next = next.nextInStream;
                }
            }
        });
        return shots;
    }
}
