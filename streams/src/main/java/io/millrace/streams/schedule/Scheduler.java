package io.millrace.streams.schedule;

import java.time.Duration;

/**
 * A place where tasks run, now, later or periodically; workers keep tasks in order, single tasks have no order.
 *
 * <p>All methods may be called from any thread. A scheduler is started when it is made. After {@link #shutdown()}
 * every form of scheduling throws {@link java.util.concurrent.RejectedExecutionException} until {@link #start()}.
 * What a task throws goes to the thread's uncaught exception handler.
 */
public interface Scheduler extends AutoCloseable {
    /** A new lane; the caller disposes it. */
    Worker createWorker();

    /** Runs a task as soon as there is a thread for it. */
    Disposable schedule(Runnable task);

    /** Runs a task once the delay is over. */
    Disposable schedule(Runnable task, Duration delay);

    /** Runs a task after the initial delay and then once a period, as {@link Worker#schedulePeriodically} does. */
    Disposable schedulePeriodically(Runnable task, Duration initialDelay, Duration period);

    /** This scheduler's clock, in nanoseconds from an arbitrary origin. */
    long nowNanos();

    /** Accepts tasks again after a shutdown; does nothing when it is running. */
    void start();

    /**
     * Drops every task that has not started, telling each {@link DroppableTask} of a worker, refuses new ones and lets the
     * threads end; doing it twice is safe.
     */
    void shutdown();

    /** The same as {@link #shutdown()}. */
    @Override
    default void close() {
        shutdown();
    }
}
