package io.millrace.streams.schedule;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/** A worker known to the scheduler that must dispose it at shutdown; it leaves that set when it is disposed. */
record TrackedWorker(Worker worker, CompositeDisposable live) implements Worker {
    @Override
    public Disposable schedule(Runnable task) {
        checkRunning();
        return worker.schedule(task);
    }

    @Override
    public Disposable schedule(Runnable task, Duration delay) {
        checkRunning();
        return worker.schedule(task, delay);
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, Duration initialDelay, Duration period) {
        checkRunning();
        return worker.schedulePeriodically(task, initialDelay, period);
    }

    private void checkRunning() {
        if (live.isDisposed()) {
            throw new RejectedExecutionException("the scheduler is shut down");
        }
    }

    @Override
    public long nowNanos() {
        return worker.nowNanos();
    }

    @Override
    public void dispose() {
        worker.dispose();
        live.remove(this);
    }

    @Override
    public boolean isDisposed() {
        return worker.isDisposed();
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
