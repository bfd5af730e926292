package io.millrace.streams.schedule;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Makes schedulers; whoever makes one shuts it down. All their threads are daemons and start on demand. */
public final class Schedulers {
    private static final Duration IDLE_THREAD_LIFE = Duration.ofSeconds(60);

    private Schedulers() {}

    /** One event loop per processor, for work that does not block. */
    public static Scheduler eventLoops() {
        return eventLoops(Runtime.getRuntime().availableProcessors());
    }

    /** The given number of event loops, at least one. */
    public static Scheduler eventLoops(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("event loops: " + count + " must be at least 1");
        }
        return new LoopScheduler(count, new LoopThreads("millrace-loop"));
    }

    /** One event loop, so that all tasks of all workers run in order. */
    public static Scheduler single() {
        return new LoopScheduler(1, new LoopThreads("millrace-single"));
    }

    /** As many threads as there is work, for tasks that block: virtual ones where the JVM has them, else cached ones. */
    public static Scheduler elastic() {
        if (VirtualThreads.areThere()) {
            return ExecutorScheduler.owning(VirtualThreads::executor, true);
        }
        return cachedThreads(IDLE_THREAD_LIFE);
    }

    /** As many threads as there is work, each kept for a while after its last task. */
    static Scheduler cachedThreads(Duration idleLife) {
        DaemonThreads threads = new DaemonThreads("millrace-elastic");
        return ExecutorScheduler.owning(() -> newCachedPool(idleLife, threads), true);
    }

    private static ExecutorService newCachedPool(Duration idleLife, DaemonThreads threads) {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                Durations.nanos(idleLife),
                TimeUnit.NANOSECONDS,
                new SynchronousQueue<>(),
                threads);
    }

    /** A thread per worker, which ends when the worker is disposed. */
    public static Scheduler newThread() {
        return new ThreadScheduler(new DaemonThreads("millrace-thread"));
    }

    /** No thread: the caller runs its tasks, one after the other, and parks until the deadline of a delayed one. */
    public static Scheduler trampoline() {
        return new TrampolineScheduler();
    }

    /** Workers over an executor, which is never shut down; disposing a running task does not interrupt it. */
    public static Scheduler from(Executor executor) {
        return ExecutorScheduler.borrowing(executor, false);
    }

    /** Workers over an executor, where disposing a running task from outside interrupts it. */
    public static Scheduler interruptibleFrom(Executor executor) {
        return ExecutorScheduler.borrowing(executor, true);
    }
}
