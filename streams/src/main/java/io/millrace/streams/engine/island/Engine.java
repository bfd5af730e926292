package io.millrace.streams.engine.island;

import io.millrace.streams.engine.failure.Described;
import io.millrace.streams.engine.failure.Suppressed;
import io.millrace.streams.engine.pool.BlockingWorkers;
import io.millrace.streams.engine.pool.Deferrable;
import io.millrace.streams.engine.pool.Dispatcher;
import io.millrace.streams.engine.pool.TaskExecutor;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ContextHook;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.inspect.RuntimeSnapshot;
import io.millrace.streams.inspect.StreamSnapshot;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.schedule.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What runs streams behind a runtime: the executor, the scheduler, and the runs that have not finished.
 *
 * <p><b>Threads</b>: any thread runs, looks and closes.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code runs}; {@code closing}: written, under the lock of this, before the runs are aborted, read after a run was added or deferred, so that
 * one of the two sees the other.<br>
 * <b>States</b>: open -> closed, once.<br>
 * <b>Proved by</b>: MaterializationTest, LifecycleTest.
 */
public final class Engine {
    private final Materializer runtime;
    private final EngineSettings settings;
    private final Scheduler scheduler;
    private final Dispatcher dispatcher;
    private final @Nullable ContextHook contextHook;
    private final BlockingWorkers blockingWorkers = new BlockingWorkers();
    private final RunningStreams runs = new RunningStreams();
    private final AtomicLong nextRunId = new AtomicLong();
    private final LongAdder droppedMessages = new LongAdder();
    private volatile @Nullable Closing closing;

    public Engine(Materializer runtime, EngineSettings settings, Scheduler scheduler) {
        this.runtime = runtime;
        this.settings = settings;
        this.scheduler = scheduler;
        this.dispatcher = settings.executor()
                .map(executor -> Dispatcher.onExecutor(settings.name(), executor))
                .orElseGet(() -> Dispatcher.onWorkers(
                        settings.name(), settings.threads(), settings.idleSearch(), blockingWorkers));
        this.contextHook = settings.contextHook().orElse(null);
    }

    /** The runtime, as stages see it that run graphs of their own. */
    public Materializer runtime() {
        return runtime;
    }

    public EngineSettings settings() {
        return settings;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /** What carries contexts of threads into streams and over their boundaries, if the settings have one. */
    @Nullable
    ContextHook contextHook() {
        return contextHook;
    }

    /** What does something, on any thread, in the context that this thread has now. */
    public Executor contextOfThisThread() {
        ContextHook hook = contextHook;
        if (hook == null) {
            return Runnable::run;
        }
        Object captured = hook.capture();
        return task -> {
            Object before = hook.capture();
            try {
                hook.restore(captured);
                task.run();
            } finally {
                hook.restore(before);
            }
        };
    }

    public TaskExecutor executor() {
        return dispatcher.executor();
    }

    /** The executor that a blueprint names, which may stand for one of this runtime's own. */
    public Executor resolve(Executor named) {
        return named == Attributes.Blocking.WORKERS ? blockingWorkers : named;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Does something on a thread that may block. */
    void runBlocking(Runnable task) {
        blockingWorkers.execute(task);
    }

    public boolean isClosed() {
        return closing != null;
    }

    /** Begins a run, which is to be put together and launched, or discarded. */
    public StreamRun open(StreamLayout layout, int islandCount) {
        StreamRun run = new StreamRun(this, layout, islandCount);
        refuseIfClosed(run);
        if (contextHook != null) {
            run.capture(contextHook);
        }
        return run;
    }

    long drawRunId() {
        return nextRunId.incrementAndGet();
    }

    /** Throws if the engine is closed, as it may be since the run began. */
    public void refuseIfClosed(StreamRun run) {
        if (closing != null) {
            throw new IllegalStateException(
                    "stream " + run.name() + " was not started: runtime " + settings.name() + " is closed");
        }
    }

    /** So many messages to a stage were dropped, as it had stopped or its mailbox was full; any thread. */
    void countDroppedMessages(long count) {
        droppedMessages.add(count);
    }

    /** Lists the run. If the engine has been closed meanwhile, who closes may have missed it, and it ends here. */
    void register(StreamRun run) {
        runs.add(run);
        abortIfClosed(run);
    }

    void abortIfClosed(StreamRun run) {
        if (closing != null) {
            run.abortByClosing();
        }
    }

    void remove(StreamRun run) {
        runs.remove(run);
    }

    /** Those that have not finished: the deferred ones first, as they are listed before they are not deferred any more. */
    private Collection<StreamRun> unfinished() {
        Set<StreamRun> all = new LinkedHashSet<>();
        for (Deferrable deferred : dispatcher.deferred()) {
            if (deferred instanceof Island island && !island.stream().isFinished()) {
                all.add(island.stream());
            }
        }
        all.addAll(runs.all());
        return all;
    }

    /** Tells the failure reporter; what that throws goes to the thread's uncaught handler. */
    @SuppressWarnings("CatchAndPrintStackTrace")
    public void report(StreamException failure) {
        try {
            settings.failureReporter().accept(failure);
        } catch (Throwable t) {
            tellHandler(t, failure);
        }
    }

    @SuppressWarnings("CatchAndPrintStackTrace")
    private static void tellHandler(Throwable ofReporter, StreamException failure) {
        Suppressed.add(failure, ofReporter);
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, ofReporter);
        } catch (Throwable ofHandler) {
            // The island goes on all the same; an exception whose text cannot be made is named by its class.
            System.Logger log = System.getLogger("io.millrace.streams"); // the first look takes milliseconds of a start
            log.log(
                    System.Logger.Level.ERROR,
                    "neither the failure reporter nor the uncaught exception handler took the failure of a stream: "
                            + failure.getMessage() + "; the handler: " + Described.of(ofHandler));
        }
    }

    public RuntimeSnapshot snapshot() {
        List<StreamSnapshot> streams = new ArrayList<>();
        for (StreamRun run : unfinished()) {
            streams.add(run.snapshot());
        }
        streams.sort(Comparator.comparingLong(StreamSnapshot::id));
        return new RuntimeSnapshot(streams, droppedMessages.sum());
    }

    /** Whether one of its stages is running on this thread. */
    public boolean isRunningHere() {
        return Interpreter.isRunningHere() && Interpreter.current().engine() == this;
    }

    /** What does one thing there, which begins a stream: until it has, who closes with a grace waits for it. */
    public Executor expectingStream(Executor there) {
        runs.expect();
        return task -> {
            try {
                there.execute(task);
            } finally {
                runs.expectNoMore();
            }
        };
    }

    /** Closes once nothing runs, at the latest when the grace is over; on a thread that runs a stream, another thread waits. */
    public void close(Duration grace) {
        long deadline = System.nanoTime() + Durations.nanos(grace);
        if (Interpreter.isRunningHere()) {
            Thread closing = new Thread(() -> closeBy(deadline), settings.name() + "-closing");
            closing.setDaemon(true);
            closing.start();
        } else {
            closeBy(deadline);
        }
    }

    private void closeBy(long deadlineNanos) {
        try {
            boolean isQuiet = isClosed();
            while (!isQuiet) {
                int expected = runs.expectedEver();
                boolean isInTime = runs.awaitExpected(deadlineNanos, this::isClosed);
                List<StreamRun> running =
                        List.copyOf(unfinished()); // after the wait: what was expected has begun, and is among them
                isInTime = isInTime && areFinishedBeforeClosing(running, deadlineNanos);
                isQuiet = isClosed() || !isInTime || (running.isEmpty() && expected == runs.expectedEver());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    /**
     * Refuses further runs, ends the present ones, and waits for them; on a thread that runs a stream, another thread waits
     * and sees to those that are stuck. A second call only waits for the first one, unless that would wait for it.
     */
    public void close() {
        Closing own = new Closing(this);
        Closing first = begin(own);
        if (first != own) {
            first.await();
            return;
        }
        runs.tellWhoWaits();
        try {
            own.end(List.copyOf(unfinished()));
        } finally {
            scheduler.shutdown();
            blockingWorkers.close();
            dispatcher.close();
            own.threadsTold();
        }
    }

    /** Begins this closing, unless another one has begun; the one that has. */
    private synchronized Closing begin(Closing own) {
        Closing begun = closing;
        if (begun == null) {
            closing = own;
            begun = own;
        }
        return begun;
    }

    private static boolean areFinishedBeforeClosing(List<StreamRun> running, long deadlineNanos)
            throws InterruptedException {
        for (StreamRun run : running) {
            if (!run.awaitFinishedOrClosed(left(deadlineNanos))) {
                return false;
            }
        }
        return true;
    }

    private static Duration left(long deadlineNanos) {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    /** Interrupts the threads of the runtime that run something. */
    void interrupt() {
        blockingWorkers.interrupt();
        dispatcher.interrupt();
    }
}
