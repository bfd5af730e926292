package io.millrace.streams.schedule;

import java.time.Duration;

/** What all schedulers share: a single task is a task of a lane that nobody else uses or that nobody disposes. */
abstract class LaneScheduler implements Scheduler {
    /** The lane for a task that belongs to no worker. */
    abstract Lane laneForSingleTask();

    @Override
    public Disposable schedule(Runnable task) {
        return laneForSingleTask().schedule(task);
    }

    @Override
    public Disposable schedule(Runnable task, Duration delay) {
        return laneForSingleTask().schedule(task, delay);
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, Duration initialDelay, Duration period) {
        return laneForSingleTask().schedulePeriodically(task, initialDelay, period);
    }

    @Override
    public final long nowNanos() {
        return System.nanoTime();
    }
}
