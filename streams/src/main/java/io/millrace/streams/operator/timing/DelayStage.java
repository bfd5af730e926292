package io.millrace.streams.operator.timing;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.failure.BufferOverflowException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.GraphStageLogic;
import java.time.Duration;
import java.util.Objects;

/** Emits each element a while after it has come, in order; one timer runs, for the first of those that wait. */
public final class DelayStage<T> extends LinearStage<T, T> {
    private static final String TIMER = "delay";
    private static final int DEFAULT_CAPACITY = 1024;

    private final ThrowingFunction<? super T, Duration> delayOf;
    private final int capacity;
    private final OverflowStrategy strategy;

    public DelayStage(
            String name, ThrowingFunction<? super T, Duration> delayOf, int capacity, OverflowStrategy strategy) {
        super(name);
        this.delayOf = Objects.requireNonNull(delayOf, "delayOf");
        this.capacity = BoundedBuffer.checkedCapacity(capacity);
        this.strategy = Objects.requireNonNull(strategy, "strategy");
    }

    /** The same delay for all. */
    public static <T> DelayStage<T> of(Duration delay, int capacity, OverflowStrategy strategy) {
        Duration checked = Durations.notNegative("delay", delay);
        return new DelayStage<>("delay", element -> checked, capacity, strategy);
    }

    /** The same delay for all, and room for some. */
    public static <T> DelayStage<T> of(Duration delay) {
        return of(delay, DEFAULT_CAPACITY, OverflowStrategy.BACKPRESSURE);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new DelayLogic(inherited);
    }

    private record Delayed<T>(T element, long dueNanos) {}

    private final class DelayLogic extends Logic<T, T> {
        private final BoundedBuffer<Delayed<T>> buffer = new BoundedBuffer<>(capacity, strategy);
        private final Attributes inherited;
        private long timerNanos;

        DelayLogic(Attributes inherited) {
            super(DelayStage.this);
            this.inherited = inherited;
        }

        @Override
        public void preStart() {
            pull(in);
        }

        @Override
        public void onPush() throws Exception {
            T element = grab(in);
            try {
                Duration delay = Durations.notNegative(name(), Step.required(delayOf.apply(element), name()));
                hold(new Delayed<>(element, nowNanos() + Durations.nanos(delay)));
            } catch (Exception failure) {
                if (!Verdict.dropsElement(inherited, failure)) {
                    throw failure;
                }
            }
            goOn();
        }

        private void hold(Delayed<T> delayed) {
            BufferOverflowException overflow = buffer.add(delayed);
            if (overflow != null) {
                failStage(overflow);
            }
        }

        @Override
        public void onPull() {
            goOn();
        }

        @Override
        public void onTimer(Object key) {
            goOn();
        }

        @Override
        public void onUpstreamFinish() {
            goOn();
        }

        private void goOn() {
            Delayed<T> first = buffer.peek();
            if (first != null && isAvailable(out)) {
                long waitNanos = first.dueNanos() - nowNanos();
                if (waitNanos <= 0) {
                    buffer.poll();
                    push(out, first.element());
                } else {
                    wakeAt(first.dueNanos(), waitNanos);
                }
            }
            if (isClosed(in) && buffer.isEmpty()) {
                completeStage();
            } else if (buffer.takesMore()) {
                tryPull(in);
            }
        }

        private void wakeAt(long dueNanos, long waitNanos) {
            if (!isTimerActive(TIMER) || dueNanos - timerNanos < 0) {
                timerNanos = dueNanos;
                scheduleOnce(TIMER, Duration.ofNanos(waitNanos));
            }
        }
    }
}
