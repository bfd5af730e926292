package io.millrace.streams.operator.timing;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.LatestLogic;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.GraphStageLogic;
import java.time.Duration;

/** Emits an element once no other has come for so long; an element moves the time, not the timer. */
public final class DebounceStage<T> extends LinearStage<T, T> {
    private final Duration quiet;
    private final long quietNanos;

    public DebounceStage(Duration quiet) {
        super("debounce");
        this.quiet = Durations.positive("debounce", quiet);
        quietNanos = Durations.nanos(quiet);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new LatestLogic<T>(this) {
            private long lastNanos;

            @Override
            protected void onElement(boolean isFirst) {
                lastNanos = nowNanos();
                if (isFirst) {
                    scheduleOnce(TIMER, quiet);
                }
            }

            @Override
            public void onTimer(Object key) {
                long waitNanos = lastNanos + quietNanos - nowNanos();
                if (waitNanos > 0) {
                    scheduleOnce(TIMER, Duration.ofNanos(waitNanos));
                } else {
                    settle();
                }
            }
        };
    }
}
