package io.millrace.testkit;

import io.millrace.streams.schedule.CompositeDisposable;
import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.DroppableTask;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler whose clock a test moves by hand: nothing runs before its time, and what is due runs on the thread that
 * advances the clock, in order of time and then of scheduling. What a task throws reaches that thread.
 *
 * <p><b>Threads:</b> any schedules; one at a time advances. <b>Shared:</b> clock and queue, under the monitor; tasks run
 * outside it.
 */
public final class VirtualTimeScheduler implements Scheduler {
    private static final int LEAST_FORGOTTEN = 64;

    private final PriorityQueue<Task> queue = new PriorityQueue<>();
    private final List<Task> resting = new ArrayList<>();
    private CompositeDisposable live = new CompositeDisposable();
    private long nowNanos;
    /** How many of the queue are disposed. */
    private int disposed;

    private long lastSequence;

    /** A clock that stands at zero. */
    public VirtualTimeScheduler() {}

    /**
     * Moves the clock on and runs what becomes due, each task at its own time, those included that tasks add. A periodic task
     * whose period is zero runs once for each call.
     */
    public void advance(Duration by) {
        advance(by, () -> {});
    }

    /** The same, and runs this each time that the clock has come to something that is due later than what ran before. */
    void advance(Duration by, Runnable later) {
        long at;
        long target;
        synchronized (this) {
            at = nowNanos;
            target = after(by);
        }
        try {
            for (long next = goToNext(target); next <= target; next = goToNext(target)) {
                if (next > at) {
                    at = next;
                    later.run();
                }
                Due due = takeDue();
                if (due != null) {
                    due.task.run(due.action);
                }
            }
        } finally {
            wakeResting();
        }
        synchronized (this) {
            nowNanos = Math.max(nowNanos, target);
        }
    }

    /** Queues a task without a period for the next time that the clock is advanced. */
    private synchronized void rest(Task task) {
        resting.add(task);
    }

    private synchronized void wakeResting() {
        resting.forEach(task -> enqueue(task, task.atNanos));
        resting.clear();
    }

    /** The time so long after now; the end of the clock, where there is no such time. */
    private synchronized long after(Duration wait) {
        long time = nowNanos + Math.max(0, Durations.nanos(wait));
        return time < nowNanos ? Long.MAX_VALUE : time;
    }

    /** Runs what is due now without moving the clock. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /** How many tasks it keeps, also of those that are disposed. */
    synchronized int kept() {
        return queue.size();
    }

    /** How many tasks wait. */
    public synchronized int waiting() {
        removeDisposed();
        resting.removeIf(Task::isDisposed);
        return queue.size() + resting.size();
    }

    /** A task that has begun: no shutdown drops it. */
    private record Due(Task task, Runnable action) {}

    /** Moves the clock on to the next task, if that is due by then, and tells its time; a later one if none is. */
    private synchronized long goToNext(long targetNanos) {
        Task first = queue.peek();
        while (first != null && first.isDisposed()) {
            queue.remove();
            first.isQueued = false;
            disposed = Math.max(0, disposed - 1);
            first = queue.peek();
        }
        if (first == null || first.atNanos > targetNanos) {
            return Long.MAX_VALUE;
        }
        nowNanos = Math.max(nowNanos, first.atNanos);
        return first.atNanos;
    }

    /** Takes the first task if it is due and not disposed by now. */
    private synchronized @Nullable Due takeDue() {
        Task first = queue.peek();
        Runnable action = first == null || first.atNanos > nowNanos ? null : first.action;
        if (first == null || action == null) {
            return null;
        }
        queue.remove();
        first.isQueued = false;
        return new Due(first, action);
    }

    /** Forgets tasks that were disposed before their time, once they are many. */
    private synchronized void forget(Task task) {
        disposed += task.isQueued ? 1 : 0;
        if (disposed >= LEAST_FORGOTTEN && disposed > queue.size() / 2) {
            removeDisposed();
        }
    }

    private void removeDisposed() {
        queue.removeIf(Task::isDisposed);
        disposed = 0;
    }

    /** Queues it unless it is disposed; whether it does. */
    private synchronized boolean enqueue(Task task, long atNanos) {
        if (task.isDisposed()) {
            return false;
        }
        task.atNanos = atNanos;
        task.sequence = ++lastSequence;
        queue.add(task);
        task.isQueued = true;
        return true;
    }

    @Override
    public synchronized Worker createWorker() {
        return new VirtualWorker(live);
    }

    @Override
    public Disposable schedule(Runnable task) {
        return createWorker().schedule(task);
    }

    @Override
    public Disposable schedule(Runnable task, Duration delay) {
        return createWorker().schedule(task, delay);
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, Duration initialDelay, Duration period) {
        return createWorker().schedulePeriodically(task, initialDelay, period);
    }

    @Override
    public synchronized long nowNanos() {
        return nowNanos;
    }

    @Override
    public synchronized void start() {
        if (live.isDisposed()) {
            live = new CompositeDisposable();
        }
    }

    @Override
    public void shutdown() {
        dropAll().forEach(DroppableTask::dropped);
    }

    private synchronized List<DroppableTask> dropAll() {
        wakeResting();
        List<DroppableTask> dropped = new ArrayList<>();
        for (Task task : queue) {
            if (task.action instanceof DroppableTask action) {
                dropped.add(action);
            }
        }
        live.dispose();
        queue.clear();
        disposed = 0;
        return dropped;
    }

    private final class VirtualWorker implements Worker {
        private final CompositeDisposable generation;
        private final CompositeDisposable tasks = new CompositeDisposable();

        VirtualWorker(CompositeDisposable generation) {
            this.generation = generation;
        }

        @Override
        public Disposable schedule(Runnable task) {
            return schedule(task, Duration.ZERO);
        }

        @Override
        public Disposable schedule(Runnable task, Duration delay) {
            return add(new Task(task, -1, this), delay);
        }

        @Override
        public Disposable schedulePeriodically(Runnable task, Duration initialDelay, Duration period) {
            return add(new Task(task, Math.max(0, Durations.nanos(period)), this), initialDelay);
        }

        private Disposable add(Task task, Duration delay) {
            if (tasks.isDisposed()) {
                return Disposable.disposed();
            }
            if (!generation.add(task)) {
                throw new RejectedExecutionException("the scheduler is shut down");
            }
            boolean queued = tasks.add(task) && enqueue(task, after(delay));
            return queued ? task : Disposable.disposed();
        }

        @Override
        public long nowNanos() {
            return VirtualTimeScheduler.this.nowNanos();
        }

        @Override
        public void dispose() {
            tasks.dispose();
        }

        @Override
        public boolean isDisposed() {
            return tasks.isDisposed() || generation.isDisposed();
        }
    }

    private final class Task implements Disposable, Comparable<Task> {
        private final long periodNanos;
        private final VirtualWorker worker;
        private long atNanos;
        private long sequence;
        private boolean isQueued;
        private volatile @Nullable Runnable action;

        Task(Runnable action, long periodNanos, VirtualWorker worker) {
            this.action = Objects.requireNonNull(action, "task");
            this.periodNanos = periodNanos;
            this.worker = worker;
        }

        void run(Runnable taken) {
            boolean again = false;
            try {
                taken.run();
                again = periodNanos >= 0 && action != null;
            } finally {
                if (again && periodNanos == 0) {
                    rest(this);
                } else if (again) {
                    enqueue(this, atNanos + periodNanos);
                } else {
                    dispose();
                }
            }
        }

        @Override
        public void dispose() {
            boolean isFirst = action != null;
            action = null;
            worker.tasks.remove(this);
            worker.generation.remove(this);
            if (isFirst) {
                forget(this);
            }
        }

        @Override
        public boolean isDisposed() {
            return action == null;
        }

        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }
}
