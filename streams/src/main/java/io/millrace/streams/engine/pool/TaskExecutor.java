package io.millrace.streams.engine.pool;

import io.millrace.streams.schedule.SchedulerExecutor;
import java.util.concurrent.Executor;

/**
 * Where one task runs each time it is given: the worker pool, a worker of a scheduler, or any executor, for which the
 * methods here are enough as they are.
 */
public interface TaskExecutor extends Executor {
    /** That of one task on an executor that somebody has named; on a scheduler, the task has a worker of its own. */
    static TaskExecutor of(Executor named) {
        if (named instanceof TaskExecutor own) {
            return own;
        }
        return named instanceof SchedulerExecutor executor
                ? new SchedulerTaskExecutor(executor.scheduler())
                : new TrampolineExecutor(named);
    }

    /** Runs a task that goes on with what the running one has just written: on the same thread after it, if that can be. */
    default void runNext(Runnable task) {
        execute(task);
    }

    /** Runs a task for whose result the calling thread may be about to wait: on that thread, if it can be and is so. */
    default void defer(DeferredTask deferred, Deferrable task) {
        task.noLongerDeferred();
        execute(task);
    }

    /** Runs the running task again, behind the others. To be the last that it does. */
    default void requeue(Runnable task) {
        execute(task);
    }

    /** Whether this might run a task on the thread that gives it, as an executor of a user's may, and does where it takes no more. */
    default boolean mightRunInPlace() {
        return true;
    }

    /** Whether the calling thread watches others, as the monitor does, and this might run a task on it. It must not run a user's code. */
    default boolean mightRunOnMonitor() {
        return mightRunInPlace() && WatchThread.isCurrent();
    }

    /** The task is given no more. */
    default void release() {}
}
