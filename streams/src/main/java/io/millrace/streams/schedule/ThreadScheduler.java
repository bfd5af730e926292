package io.millrace.streams.schedule;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One thread per worker, and one per single task; a thread ends when its worker is disposed.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> {@code workers}, the live ones, replaced under the lock by start.
 * <b>States:</b> running -> shut down, which disposes all workers -> running with an empty set.
 */
final class ThreadScheduler implements Scheduler {
    private final ThreadFactory threads;
    private volatile CompositeDisposable workers = new CompositeDisposable();

    ThreadScheduler(ThreadFactory threads) {
        this.threads = threads;
    }

    @Override
    public Worker createWorker() {
        CompositeDisposable live = workers;
        EventLoop loop = new EventLoop(threads);
        TrackedWorker worker = new TrackedWorker(new LoopLane(loop, true), live);
        if (!live.add(worker)) {
            throw new RejectedExecutionException("the scheduler is shut down");
        }
        return worker;
    }

    @Override
    public Disposable schedule(Runnable task) {
        return single(task, Worker::schedule);
    }

    @Override
    public Disposable schedule(Runnable task, Duration delay) {
        return single(task, (worker, action) -> worker.schedule(action, delay));
    }

    /** How many workers are not disposed. */
    int liveWorkers() {
        return workers.size();
    }

    private Disposable single(Runnable task, BiConsumer<Worker, Runnable> how) {
        Objects.requireNonNull(task, "task");
        return onNewWorker(worker -> how.accept(worker, () -> {
            try {
                task.run();
            } finally {
                worker.dispose();
            }
        }));
    }

    /** Schedules on a worker of its own, which ends at once when that is refused. */
    private Disposable onNewWorker(Consumer<Worker> how) {
        Worker worker = createWorker();
        try {
            how.accept(worker);
        } catch (RuntimeException | Error refused) {
            worker.dispose();
            throw refused;
        }
        return worker;
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, Duration initialDelay, Duration period) {
        Objects.requireNonNull(task, "task");
        return onNewWorker(worker -> worker.schedulePeriodically(
                () -> {
                    boolean returned = false;
                    try {
                        task.run();
                        returned = true;
                    } finally {
                        if (!returned) {
                            worker.dispose();
                        }
                    }
                },
                initialDelay,
                period));
    }

    @Override
    public long nowNanos() {
        return System.nanoTime();
    }

    @Override
    public synchronized void start() {
        if (workers.isDisposed()) {
            workers = new CompositeDisposable();
        }
    }

    @Override
    public synchronized void shutdown() {
        workers.dispose();
    }
}
