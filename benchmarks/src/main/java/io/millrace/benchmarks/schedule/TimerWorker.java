package io.millrace.benchmarks.schedule;

import java.time.Duration;

/** One worker of one library. */
interface TimerWorker extends AutoCloseable {
    /** Schedules a task for later and hands back what {@link #cancel} takes. */
    Object schedule(Runnable task, Duration delay);

    /** Schedules a task for now. */
    void schedule(Runnable task);

    /** Cancels one task. */
    void cancel(Object task);

    /** Disposes the worker with all its tasks. */
    void dispose();

    /** Runs a task beside this worker, which may be disposed; on the same thread where the library has only one. */
    void scheduleBeside(Runnable task);

    /** Ends its thread, where it has one of its own. */
    @Override
    void close();
}
