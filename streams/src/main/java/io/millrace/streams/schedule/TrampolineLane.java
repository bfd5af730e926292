package io.millrace.streams.schedule;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A worker without a thread: the caller runs what is queued, in order, and waits for deadlines by parking.
 *
 * <p><b>Threads:</b> anyone schedules; the one that found the count at zero runs everything until it is zero again.
 * <b>Owned:</b> the heap, by the thread that runs. <b>Shared:</b> the queue, and {@code waiting}, the number of tasks
 * given and not yet done; {@code parked}, volatile, written by the running thread. <b>Proved by:</b> SchedulerRaceTest.
 */
final class TrampolineLane extends Lane {
    private final TaskQueue queue = new TaskQueue(this);
    private final TimerHeap heap = new TimerHeap();
    private final AtomicInteger waiting = new AtomicInteger();
    private final TrampolineScheduler scheduler;
    private final int generation;
    private volatile @Nullable Thread parked;

    TrampolineLane(TrampolineScheduler scheduler) {
        this.scheduler = scheduler;
        this.generation = scheduler.generation();
    }

    @Override
    void runSoon(Task task) {
        // Immediate tasks stand in the same order as timers here, so they get the present as their deadline.
        if (!task.isTimer()) {
            long now = nowNanos();
            task.deadlineNanos = now == Task.NO_DEADLINE ? 1 : now;
        }
        runAtDeadline(task);
    }

    @Override
    void runAtDeadline(Task task) {
        queue.push(task);
        if (waiting.getAndIncrement() == 0) {
            runAll();
        } else {
            LockSupport.unpark(parked);
        }
    }

    private void runAll() {
        do {
            Task first = awaitFirst();
            if (first != null) {
                heap.removeFirst();
                first.run();
            }
        } while (waiting.decrementAndGet() != 0);
    }

    /** The first task when it is due. An interrupt, which would keep the caller from parking, is back after the wait. */
    private @Nullable Task awaitFirst() {
        boolean interrupted = false;
        take();
        Task first = heap.first();
        while (first != null && mustWait(first)) {
            interrupted |= Thread.interrupted();
            parked = Thread.currentThread();
            scheduler.startWaiting();
            if (queue.isEmpty() && !first.isDisposed() && !isDisposed()) {
                LockSupport.parkNanos(this, first.deadlineNanos - nowNanos());
            }
            scheduler.stopWaiting();
            parked = null;
            take();
            first = heap.first();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return first;
    }

    private boolean mustWait(Task task) {
        return !task.isDisposed() && !isDisposed() && task.deadlineNanos - nowNanos() > 0;
    }

    private void take() {
        for (Task task = queue.poll(); task != null; task = queue.poll()) {
            if (task.sequence < 0) {
                task.setDeadline(task.deadlineNanos);
            }
            heap.add(task);
        }
    }

    @Override
    boolean isClosed() {
        return scheduler.generation() != generation || !scheduler.isRunning();
    }

    @Override
    void disposing(boolean hadTimers) {
        LockSupport.unpark(parked);
    }

    @Override
    void cancelled(Task task) {
        LockSupport.unpark(parked);
    }
}
