package io.millrace.streams.engine;

import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.SchedulerExecutor;
import io.millrace.streams.schedule.Worker;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs one island on one worker of a scheduler, so that all its turns stay on the same lane; the worker is made with
 * the first turn and disposed when the island has finished.
 *
 * <p><b>Threads</b>: whoever schedules the island executes, one at a time; the island's last turn disposes.<br>
 * <b>Owned</b>: {@code worker}, by who moved the island to SCHEDULED; handed on by the island's state.<br>
 * <b>Proved by</b>: SchedulerOperatorsTest, LostTurnsTest.
 */
final class IslandWorker implements Executor {
    private final Scheduler scheduler;
    private @Nullable Worker worker;

    private IslandWorker(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** The executor for one island of one run: a worker of its own where a scheduler was named. */
    static Executor of(Executor named) {
        return named instanceof SchedulerExecutor executor ? new IslandWorker(executor.scheduler()) : named;
    }

    /** Gives the worker back if this is one; the island runs no more. */
    static void release(Executor executor) {
        if (executor instanceof IslandWorker own && own.worker != null) {
            own.worker.dispose();
        }
    }

    @Override
    public void execute(Runnable turn) {
        Worker own = worker;
        if (own == null) {
            own = scheduler.createWorker();
            worker = own;
        }
        if (own.schedule(turn) == Disposable.disposed()) {
            throw new RejectedExecutionException("the island's worker is disposed, as its scheduler was shut down");
        }
    }
}
