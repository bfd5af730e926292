package io.millrace.streams.operator.timing;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.LatestLogic;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.GraphStageLogic;
import java.time.Duration;

/** Emits the latest element of each period in which there was one; no timer runs without an element. */
public final class SampleStage<T> extends LinearStage<T, T> {
    private final long periodNanos;

    public SampleStage(Duration period) {
        super("sample");
        periodNanos = Durations.nanos(Durations.positive("sample", period));
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new LatestLogic<T>(this) {
            private long startNanos;

            @Override
            public void preStart() {
                startNanos = nowNanos();
                super.preStart();
            }

            @Override
            protected void onElement(boolean isFirst) {
                if (isFirst) {
                    long goneNanos = (nowNanos() - startNanos) % periodNanos;
                    scheduleOnce(TIMER, Duration.ofNanos(periodNanos - goneNanos));
                }
            }

            @Override
            public void onTimer(Object key) {
                settle();
            }
        };
    }
}
