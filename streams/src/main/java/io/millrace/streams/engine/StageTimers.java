package io.millrace.streams.engine;

import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The timers of one stage, by key; belongs to the island. */
final class StageTimers {
    private final StageCell cell;
    private final Interpreter interpreter;
    private final Map<Object, Timer> active = new HashMap<>();

    StageTimers(StageCell cell, Interpreter interpreter) {
        this.cell = cell;
        this.interpreter = interpreter;
    }

    void schedule(Object key, Duration delay, @Nullable Duration period) {
        cancel(key);
        Timer timer = new Timer(key, period != null);
        active.put(key, timer);
        timer.attach(cell);
        Scheduler scheduler = interpreter.engine().scheduler();
        timer.task = period == null
                ? scheduler.schedule(timer, delay)
                : scheduler.schedulePeriodically(timer, delay, period);
    }

    void cancel(Object key) {
        Timer timer = active.remove(key);
        if (timer != null) {
            timer.detach();
            timer.end();
        }
    }

    boolean isActive(Object key) {
        return active.containsKey(key);
    }

    /**
     * One timer: the scheduler's thread posts it, the island fires it. Firings that the island has not got round to
     * are one. Everything but posting belongs to the island.
     */
    private final class Timer extends Signal implements Runnable {
        private final Object key;
        private final boolean periodic;
        private @Nullable Disposable task;
        private boolean ended;

        Timer(Object key, boolean periodic) {
            this.key = key;
            this.periodic = periodic;
        }

        @Override
        public void run() {
            interpreter.island().post(this);
        }

        @Override
        void deliver() {
            if (ended) {
                return;
            }
            if (!periodic) {
                active.remove(key);
                detach();
                end();
            }
            interpreter.fire(cell, key);
        }

        @Override
        void release(@Nullable Throwable failure) {
            end();
        }

        private void end() {
            ended = true;
            if (task != null) {
                task.dispose();
                task = null;
            }
        }
    }
}
