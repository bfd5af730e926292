package io.millrace.streams.schedule;

import java.util.Objects;
import java.util.concurrent.Executor;

/** A scheduler as an executor; streams that are to run on it take a worker of their own from it instead. */
public record SchedulerExecutor(Scheduler scheduler) implements Executor {
    public SchedulerExecutor {
        Objects.requireNonNull(scheduler, "scheduler");
    }

    @Override
    public void execute(Runnable task) {
        scheduler.schedule(task);
    }
}
