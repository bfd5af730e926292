package io.millrace.streams.engine.pool;

import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Scheduler;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs one task on one worker of a scheduler, so that all its turns are in the same lane. The worker is made with the first
 * turn and disposed when the task is released.
 *
 * <p><b>Threads</b>: whoever gives the task, one at a time; the task's last turn releases.<br>
 * <b>Owned</b>: {@code worker}, by who gives the task; the task's own state hands it on.<br>
 * <b>Proved by</b>: SchedulerOperatorsTest, LostTurnsTest.
 */
final class SchedulerTaskExecutor implements TaskExecutor {
    private final Scheduler scheduler;
    private io.millrace.streams.schedule.@Nullable Worker worker;

    SchedulerTaskExecutor(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public void execute(Runnable task) {
        io.millrace.streams.schedule.Worker own = worker;
        if (own == null) {
            own = scheduler.createWorker();
            worker = own;
        }
        if (own.schedule(task) == Disposable.disposed()) {
            throw new RejectedExecutionException("the island's worker is disposed, as its scheduler was shut down");
        }
    }

    @Override
    public void release() {
        if (worker != null) {
            worker.dispose();
        }
    }
}
