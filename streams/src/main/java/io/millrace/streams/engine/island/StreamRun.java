package io.millrace.streams.engine.island;

import io.millrace.streams.engine.failure.Described;
import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.engine.pool.DeferredTask;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.ContextHook;
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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a stream: its islands, and how they end together.
 *
 * <p><b>Threads</b>: made by the thread that runs the graph; then shared by its islands and by who closes or looks.<br>
 * <b>Owned</b>: {@code context}, by who opens the run, until the launch; by who finishes it then.<br>
 * <b>Shared</b>: {@code abortCause}: set once, by compare-and-set, before the islands are woken; {@code liveIslands}:
 * counted down by each island as it finishes, with three marks: {@code REGISTERED}, set under the lock of the engine's list of runs, {@code AWAITED}, set
 * under the monitor, {@code WATCHED}, set after {@code watcher}, once; who counts to zero sees to what is marked. {@code id}: set once, by compare-and-set. {@code known}: under the monitor.<br>
 * <b>States</b>: not registered, while its only island is deferred, -> registered; running -> aborted by the first cause; running or aborted -> finished with the
 * last island.<br>
 * <b>Proved by</b>: MaterializationTest, LifecycleTest.
 */
public final class StreamRun {
    /** For so long at most what follows on a stream waits for it to finish, once it has ended: it may not let go of everything by itself. */
    public static final Duration LONGEST_RELEASE = Duration.ofSeconds(5);

    private static final int MOST_KNOWN = 8;
    private static final int REGISTERED = 1 << 30;
    private static final int AWAITED = 1 << 29;
    private static final int WATCHED = 1 << 28;
    private static final int COUNT = WATCHED - 1;
    private static final VarHandle ABORT_CAUSE;
    private static final VarHandle LIVE_ISLANDS;
    private static final VarHandle ID;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ABORT_CAUSE = lookup.findVarHandle(StreamRun.class, "abortCause", Throwable.class);
            ID = lookup.findVarHandle(StreamRun.class, "id", long.class);
            LIVE_ISLANDS = lookup.findVarHandle(StreamRun.class, "liveIslands", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Engine engine;
    private final StreamLayout layout;
    private volatile long id;
    private @Nullable Island firstIsland;
    private @Nullable Boundary firstBoundary;
    /** What the thread that ran the graph had, where the runtime has a hook for it. */
    private @Nullable Object context;

    private volatile @Nullable Throwable abortCause;

    private volatile int liveIslands;

    /** What is to be done when all islands have finished. */
    private @Nullable Runnable watcher;

    /** The last failures that need not be told any more, in a ring; guarded by this. */
    private @Nullable Throwable @Nullable [] known;

    private int nextKnown;
    /** Links of the engine's list of runs; guarded by the list. */
    @Nullable
    StreamRun previousRun;

    @Nullable
    StreamRun nextRun;

    StreamRun(Engine engine, StreamLayout layout, int islandCount) {
        this.engine = engine;
        this.layout = layout;
        LIVE_ISLANDS.set(this, islandCount);
    }

    /** Keeps the context of this thread, with which all turns begin. */
    void capture(ContextHook hook) {
        try {
            context = hook.capture();
        } catch (Throwable t) {
            throw new StreamException(
                    "stream " + name() + " was not started: the context of the thread that runs it could not be had: "
                            + Described.of(t),
                    t);
        }
    }

    @Nullable
    Object context() {
        return context;
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
        return seed.isPresent() ? new SplittableRandom(seed.getAsLong() + id()) : null;
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
        return layout.streamName() + "#" + id();
    }

    /** Its number, which is drawn as it is listed, or when somebody asks before; most short runs need none. */
    private long id() {
        long drawn = id;
        if (drawn == 0) {
            ID.compareAndSet(this, 0L, engine.drawRunId());
            drawn = id;
        }
        return drawn;
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
            engine.abortIfClosed(this);
        }
    }

    /** Releases what was made of a run that could not be put together. */
    public void discard(Throwable cause) {
        ABORT_CAUSE.compareAndSet(this, null, cause);
        for (Island island = firstIsland; island != null; island = island.nextInStream) {
            island.discard(cause);
        }
        int before = (int) LIVE_ISLANDS.getAndBitwiseAnd(this, ~COUNT);
        if ((before & COUNT) != 0) {
            finish(before);
        }
    }

    /** Ends all islands by force; only the first cause counts. */
    void abort(Throwable cause) {
        if (ABORT_CAUSE.compareAndSet(this, null, cause)) {
            wakeAll();
        }
    }

    /** Has its islands look whether it ends by force. */
    void wakeAll() {
        for (Island island = firstIsland; island != null; island = island.nextInStream) {
            island.wake();
        }
    }

    /** Whether stages of it might run on a thread that wakes it. */
    boolean mightRunInPlace() {
        for (Island island = firstIsland; island != null; island = island.nextInStream) {
            if (island.mightRunInPlace()) {
                return true;
            }
        }
        return false;
    }

    void abortByClosing() {
        if (markClosed()) {
            wakeAll();
        }
    }

    /** Gives it its end by closing as the cause, of which its islands do not know yet, unless it has one already. */
    boolean markClosed() {
        boolean isMarked = ABORT_CAUSE.compareAndSet(
                this,
                null,
                new AbruptTerminationException("stream " + name() + " ended because runtime "
                        + engine.settings().name() + " was closed"));
        if ((liveIslands & AWAITED) != 0) {
            tellWhoAwaitsClosing();
        }
        return isMarked;
    }

    private synchronized void tellWhoAwaitsClosing() {
        notifyAll();
    }

    /**
     * Whether it ends by force, as every stream does whose runtime is closed. From then on its stages are told of no end: what they would
     * hear may be that others were ended by force a moment before.
     */
    boolean isEndedByForce() {
        if (abortCause == null) {
            engine.abortIfClosed(this);
        }
        return abortCause != null;
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
        return placed(place(stage, what), failure);
    }

    private String place(String stage, String what) {
        return "stream " + name() + ", stage " + stage + ": " + what + ": ";
    }

    private static StreamException placed(String place, Throwable failure) {
        return new StreamException(place + Described.of(failure), failure);
    }

    /** Reports failures on any thread, also when the run has ended, of which it keeps nothing. */
    Consumer<Throwable> lateReports(String stage, String what) {
        Engine told = engine;
        String place = place(stage, what);
        return failure -> told.report(placed(place, failure));
    }

    /** Has its futures fail though islands of it still run, as their stages are stuck in calls of the user's. */
    void abandon() {
        Throwable cause = abortCause;
        for (Island island = firstIsland; cause != null && island != null; island = island.nextInStream) {
            island.abandon(cause);
        }
    }

    /** Has the engine list it, unless it does or the run has finished. */
    public void register() {
        if ((liveIslands & REGISTERED) == 0) {
            engine.register(this);
        }
    }

    /** Notes that it is listed; false if it was or the run has finished. Called under the lock of the list. */
    boolean markRegistered() {
        int before = liveIslands;
        while ((before & REGISTERED) == 0 && (before & COUNT) != 0) {
            if (LIVE_ISLANDS.compareAndSet(this, before, before | REGISTERED)) {
                id();
                return true;
            }
            before = liveIslands;
        }
        return false;
    }

    void islandFinished() {
        int before = (int) LIVE_ISLANDS.getAndAdd(this, -1);
        if ((before & COUNT) == 1) {
            finish(before);
        }
    }

    private void finish(int marks) {
        context = null; // stages may be kept by whoever has their values
        if ((marks & REGISTERED) != 0) {
            engine.remove(this);
        }
        if ((marks & AWAITED) != 0) {
            synchronized (this) {
                notifyAll();
            }
        }
        Runnable told = watcher;
        if ((marks & WATCHED) != 0 && told != null) {
            watcher = null;
            told.run();
        }
    }

    /** Has this done once all islands have finished, by the thread that finishes the last, or at once. May be asked once. */
    void whenFinished(Runnable action) {
        watcher = action;
        int before = (int) LIVE_ISLANDS.getAndBitwiseOr(this, WATCHED);
        if ((before & COUNT) == 0) {
            watcher = null;
            action.run();
        }
    }

    /** Waits until all islands have finished; whether they have. */
    boolean awaitFinished(Duration atMost) throws InterruptedException {
        return await(atMost, () -> false);
    }

    /** The same, but waits no longer once the runtime is closed. */
    boolean awaitFinishedOrClosed(Duration atMost) throws InterruptedException {
        return await(atMost, engine::isClosed);
    }

    private synchronized boolean await(Duration atMost, BooleanSupplier isGivenUp) throws InterruptedException {
        long deadline = System.nanoTime() + Durations.nanos(atMost);
        LIVE_ISLANDS.getAndBitwiseOr(this, AWAITED);
        while (!isFinished()) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (leftMillis <= 0 || isGivenUp.getAsBoolean()) {
                return false;
            }
            wait(leftMillis);
        }
        return true;
    }

    boolean isFinished() {
        return (liveIslands & COUNT) == 0;
    }

    /** Whether one of its stages waits for a future; any thread may ask, so it is as of about now. */
    boolean awaitsFuture() {
        for (Island island = firstIsland; island != null; island = island.nextInStream) {
            for (StageContext at = island.firstStage(); at != null; at = at.nextInIsland) {
                if (at.logic() instanceof AwaitsFutures stage && stage.awaitsFuture()) {
                    return true;
                }
            }
        }
        return false;
    }

    StreamSnapshot snapshot() {
        List<IslandSnapshot> shots = new ArrayList<>();
        for (Island island = firstIsland; island != null; island = island.nextInStream) {
            shots.add(island.snapshot());
        }
        return new StreamSnapshot(layout.streamName(), id(), shots, boundarySnapshots());
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
