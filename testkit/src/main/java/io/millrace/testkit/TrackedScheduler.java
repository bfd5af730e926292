package io.millrace.testkit;

import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.DroppableTask;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that knows which of its tasks are still to run, so that a test can tell that none outlives it.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code live}: a task is added before it is scheduled, and removed when it has run for the last time, is
 * disposed or dropped.<br>
 * <b>States</b>: those of the scheduler behind it.<br>
 * <b>Proved by</b>: StreamRuntimeExtensionTest, LostTurnsTest.
 */
public final class TrackedScheduler implements Scheduler {
    private final Scheduler inner;
    private final Set<Tracked> live = ConcurrentHashMap.newKeySet();

    /** Everything goes to this scheduler. */
    public TrackedScheduler(Scheduler inner) {
        this.inner = Objects.requireNonNull(inner, "inner");
    }

    /** What is still to run, or to run again. */
    public List<String> liveTasks() {
        return live.stream().map(tracked -> tracked.task.toString()).sorted().toList();
    }

    @Override
    public Worker createWorker() {
        return new TrackedWorker(inner.createWorker());
    }

    @Override
    public Disposable schedule(Runnable task) {
        return track(new Tracked(task, false, null), inner::schedule);
    }

    @Override
    public Disposable schedule(Runnable task, Duration delay) {
        return track(new Tracked(task, false, null), tracked -> inner.schedule(tracked, delay));
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, Duration initialDelay, Duration period) {
        return track(
                new Tracked(task, true, null), tracked -> inner.schedulePeriodically(tracked, initialDelay, period));
    }

    @Override
    public long nowNanos() {
        return inner.nowNanos();
    }

    @Override
    public void start() {
        inner.start();
    }

    @Override
    public void shutdown() {
        inner.shutdown();
        live.clear();
    }

    private Disposable track(Tracked tracked, Function<Runnable, Disposable> schedule) {
        live.add(tracked);
        Disposable made;
        try {
            made = schedule.apply(tracked);
        } catch (RuntimeException refused) {
            live.remove(tracked);
            throw refused;
        }
        if (made == Disposable.disposed()) {
            live.remove(tracked);
            return made;
        }
        tracked.scheduled(made);
        if (tracked.isDisposed()) {
            live.remove(tracked);
        }
        return tracked;
    }

    private final class Tracked implements DroppableTask, Disposable {
        private final Runnable task;
        private final boolean periodic;
        private final @Nullable TrackedWorker worker;
        private @Nullable Disposable handle;
        private boolean disposed;

        Tracked(Runnable task, boolean periodic, @Nullable TrackedWorker worker) {
            this.task = Objects.requireNonNull(task, "task");
            this.periodic = periodic;
            this.worker = worker;
        }

        @Override
        public void run() {
            boolean again = false;
            try {
                task.run();
                again = periodic;
            } finally {
                if (!again) {
                    live.remove(this);
                }
            }
        }

        @Override
        public void dropped() {
            live.remove(this);
            if (task instanceof DroppableTask droppable) {
                droppable.dropped();
            }
        }

        synchronized void scheduled(Disposable made) {
            handle = made;
            if (disposed) {
                made.dispose();
            }
        }

        @Override
        public synchronized void dispose() {
            disposed = true;
            live.remove(this);
            if (handle != null) {
                handle.dispose();
            }
        }

        @Override
        public synchronized boolean isDisposed() {
            return disposed || (handle != null && handle.isDisposed());
        }
    }

    private final class TrackedWorker implements Worker {
        private final Worker lane;

        TrackedWorker(Worker lane) {
            this.lane = lane;
        }

        @Override
        public Disposable schedule(Runnable task) {
            return track(new Tracked(task, false, this), lane::schedule);
        }

        @Override
        public Disposable schedule(Runnable task, Duration delay) {
            return track(new Tracked(task, false, this), tracked -> lane.schedule(tracked, delay));
        }

        @Override
        public Disposable schedulePeriodically(Runnable task, Duration initialDelay, Duration period) {
            return track(
                    new Tracked(task, true, this), tracked -> lane.schedulePeriodically(tracked, initialDelay, period));
        }

        @Override
        public long nowNanos() {
            return lane.nowNanos();
        }

        @Override
        public void dispose() {
            lane.dispose();
            live.removeIf(tracked -> tracked.worker == this);
        }

        @Override
        public boolean isDisposed() {
            return lane.isDisposed();
        }
    }
}
