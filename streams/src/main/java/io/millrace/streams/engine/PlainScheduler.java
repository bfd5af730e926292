package io.millrace.streams.engine;

import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Worker;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timers on one daemon thread, until the event loops are there. */
public final class PlainScheduler implements Scheduler {
    private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "millrace-timers");
        thread.setDaemon(true);
        return thread;
    });

    @Override
    public Worker createWorker() {
        throw new UnsupportedOperationException("a plain scheduler has no workers");
    }

    @Override
    public Disposable schedule(Runnable task) {
        return new Scheduled(timers.submit(task));
    }

    @Override
    public Disposable schedule(Runnable task, Duration delay) {
        return new Scheduled(timers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS));
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, Duration initial, Duration period) {
        return new Scheduled(timers.scheduleWithFixedDelay(
                task, initial.toNanos(), Math.max(1, period.toNanos()), TimeUnit.NANOSECONDS));
    }

    @Override
    public long nowNanos() {
        return System.nanoTime();
    }

    @Override
    public void start() {
        if (timers.isShutdown()) {
            throw new IllegalStateException("a plain scheduler cannot start again");
        }
    }

    @Override
    public void shutdown() {
        timers.shutdownNow();
    }

    private record Scheduled(Future<?> future) implements Disposable {
        @Override
        public void dispose() {
            future.cancel(false);
        }

        @Override
        public boolean isDisposed() {
            return future.isDone();
        }
    }
}
