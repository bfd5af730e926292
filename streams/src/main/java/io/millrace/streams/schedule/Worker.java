package io.millrace.streams.schedule;

import java.time.Duration;

/**
 * A lane of a scheduler: its tasks run in order and never overlap, and what one wrote the next one sees.
 *
 * <p>All methods may be called from any thread. Disposing the worker drops every task that has not started and
 * answers later ones with {@link Disposable#disposed()}; a task scheduled from within a task runs after it.
 */
public interface Worker extends Disposable {
    /**
     * Runs a task as soon as the tasks before it are done.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the scheduler is shut down or its executor refuses
     */
    Disposable schedule(Runnable task);

    /**
     * Runs a task once the delay is over; equal deadlines keep their order, a delay of zero or less means at once.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the scheduler is shut down or its executor refuses
     */
    Disposable schedule(Runnable task, Duration delay);

    /**
     * Runs a task after the initial delay and then once a period, counted from start to start, until it is disposed
     * or throws; runs that were missed are left out, and a period of zero runs again as soon as others had their turn. Without
     * an initial delay the first run has its turn among the immediate tasks, if there is a period.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the scheduler is shut down or its executor refuses
     */
    Disposable schedulePeriodically(Runnable task, Duration initialDelay, Duration period);

    /** The scheduler's clock, in nanoseconds from an arbitrary origin. */
    long nowNanos();
}
