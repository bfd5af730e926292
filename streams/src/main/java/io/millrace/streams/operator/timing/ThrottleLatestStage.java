package io.millrace.streams.operator.timing;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.LatestLogic;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.GraphStageLogic;
import java.time.Duration;

/** Emits an element at once, and then at most once per period the latest that has come. */
public final class ThrottleLatestStage<T> extends LinearStage<T, T> {
    private final Duration period;

    public ThrottleLatestStage(Duration period) {
        super("throttleLatest");
        this.period = Durations.positive("throttleLatest", period);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new LatestLogic<T>(this) {
            private boolean isResting;

            @Override
            protected void onElement(boolean isFirst) {
                if (!isResting) {
                    settle();
                }
            }

            @Override
            protected void onEmitted() {
                isResting = true;
                scheduleOnce(TIMER, period);
            }

            @Override
            public void onTimer(Object key) {
                isResting = false;
                if (hasLatest()) {
                    settle();
                }
            }
        };
    }
}
