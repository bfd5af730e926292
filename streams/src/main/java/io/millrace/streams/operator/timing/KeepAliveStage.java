package io.millrace.streams.operator.timing;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.GraphStageLogic;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Emits an element of its own when one that was asked for does not come in time. */
public final class KeepAliveStage<T> extends LinearStage<T, T> {
    private static final String TIMER = "idle";

    private final Duration maxIdle;
    private final ThrowingSupplier<? extends T> injected;

    public KeepAliveStage(Duration maxIdle, ThrowingSupplier<? extends T> injected) {
        super("keepAlive");
        this.maxIdle = Durations.positive("keepAlive", maxIdle);
        this.injected = Objects.requireNonNull(injected, "injected");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new KeepAliveLogic();
    }

    private final class KeepAliveLogic extends Logic<T, T> {
        private long waitingSinceNanos;
        private boolean isTimerSet;
        /** An element that came after one had been put in its place. */
        private @Nullable T late;

        KeepAliveLogic() {
            super(KeepAliveStage.this);
        }

        @Override
        public void onPush() {
            T element = grab(in);
            if (isAvailable(out)) {
                push(out, element);
            } else {
                late = element;
            }
        }

        @Override
        public void onPull() {
            T element = late;
            if (element == null) {
                tryPull(in);
                await();
                return;
            }
            late = null;
            push(out, element);
            if (isClosed(in)) {
                completeStage();
            }
        }

        private void await() {
            waitingSinceNanos = nowNanos();
            if (!isTimerSet) {
                isTimerSet = true;
                scheduleOnce(TIMER, maxIdle);
            }
        }

        @Override
        public void onTimer(Object key) throws Exception {
            isTimerSet = isAvailable(out);
            if (!isTimerSet) {
                return;
            }
            long waitNanos = waitingSinceNanos + Durations.nanos(maxIdle) - nowNanos();
            if (waitNanos > 0) {
                scheduleOnce(TIMER, Duration.ofNanos(waitNanos));
            } else {
                isTimerSet = false;
                push(out, Step.required(injected.make(), name()));
            }
        }

        @Override
        public void onUpstreamFinish() {
            if (late == null) {
                completeStage();
            }
        }
    }
}
