package io.millrace.streams.engine;

import io.millrace.streams.schedule.Scheduler;
import java.util.Objects;
import java.util.concurrent.Executor;

/** A scheduler named as the place where islands run; each island gets a worker of its own from it. */
public record SchedulerExecutor(Scheduler scheduler) implements Executor {
    public SchedulerExecutor {
        Objects.requireNonNull(scheduler, "scheduler");
    }

    @Override
    public void execute(Runnable task) {
        scheduler.schedule(task);
    }
}
