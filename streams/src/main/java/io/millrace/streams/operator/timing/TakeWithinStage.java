package io.millrace.streams.operator.timing;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.GraphStageLogic;
import java.time.Duration;

/** Lets elements through for so long, then completes and cancels. */
public final class TakeWithinStage<T> extends LinearStage<T, T> {
    private static final String TIMER = "end";

    private final Duration within;

    public TakeWithinStage(Duration within) {
        super("takeWithin");
        this.within = Durations.positive("takeWithin", within);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            public void preStart() {
                scheduleOnce(TIMER, within);
            }

            @Override
            public void onTimer(Object key) {
                completeStage();
            }

            @Override
            public void onPush() {
                push(out, grab(in));
            }
        };
    }
}
