package io.millrace.streams.engine.pool;

import io.millrace.streams.engine.failure.Suppressed;

/** Runs tasks on threads that must go on whatever a task throws. */
public final class UncaughtFailures {
    private static final System.Logger LOG = System.getLogger(WorkerPool.class.getName());

    private UncaughtFailures() {}

    /** Runs a task; what it throws is reported, and the thread is not interrupted after it. */
    static void runReporting(Runnable task) {
        try {
            task.run();
        } catch (Throwable t) {
            report(t);
        } finally {
            Thread.interrupted(); // the interrupt was for this task
        }
    }

    /** Tells the thread's uncaught exception handler; what that throws is logged. */
    public static void report(Throwable failure) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        } catch (Throwable ofHandler) {
            Suppressed.add(failure, ofHandler);
            LOG.log(System.Logger.Level.ERROR, "the uncaught exception handler failed", ofHandler);
        }
    }
}
