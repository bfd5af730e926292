package io.millrace.streams.engine.island;

import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.schedule.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The timers of one stage, by key; belongs to the island. */
public final class StageTimers {
    private final StageContext context;
    private final Map<Object, Timer> active = new HashMap<>();

    StageTimers(StageContext context) {
        this.context = context;
    }

    /** Fires once after the delay; replaces the timer of the key. */
    public void scheduleOnce(Object key, Duration delay) {
        schedule(key, delay, null);
    }

    /** Fires after the initial delay and then once per period, which is longer than zero; replaces the timer of the key. */
    public void schedulePeriodically(Object key, Duration initial, Duration period) {
        schedule(key, initial, Durations.positive("schedulePeriodically", Objects.requireNonNull(period, "period")));
    }

    private void schedule(Object key, Duration delay, @Nullable Duration period) {
        cancel(key);
        Timer timer = new Timer(key, period != null);
        active.put(key, timer);
        context.add(timer.held);
        Engine engine = context.island().engine();
        try {
            timer.task = begin(timer, engine.scheduler(), delay, period);
        } catch (RejectedExecutionException refused) {
            if (!engine.isClosed()) { // or else the stage is about to be stopped
                throw refused;
            }
        }
    }

    private static Disposable begin(Timer timer, Scheduler scheduler, Duration delay, @Nullable Duration period) {
        return period == null ? scheduler.schedule(timer, delay) : scheduler.schedulePeriodically(timer, delay, period);
    }

    /** Ends the timer of the key: it does not fire after this. */
    public void cancel(Object key) {
        Timer timer = active.remove(key);
        if (timer != null) {
            timer.held.detach();
            timer.end();
        }
    }

    public boolean isActive(Object key) {
        return active.containsKey(key);
    }

    /**
     * One timer: the scheduler's thread posts it, the island fires it. Firings that the island has not got round to
     * are one. Everything but posting belongs to the island.
     */
    private final class Timer extends Signal implements Runnable {
        private final Object key;
        private final boolean periodic;
        private final Resource held = new Resource.Action(this::end);
        private @Nullable Disposable task;
        private boolean ended;

        Timer(Object key, boolean periodic) {
            this.key = key;
            this.periodic = periodic;
        }

        @Override
        public void run() {
            context.island().post(this);
        }

        @Override
        void deliver() {
            if (ended) {
                return;
            }
            if (!periodic) {
                active.remove(key);
                held.detach();
                end();
            }
            context.island().fire(context, key);
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
