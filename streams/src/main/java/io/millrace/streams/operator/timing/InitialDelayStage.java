package io.millrace.streams.operator.timing;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.GraphStageLogic;
import java.time.Duration;

/** Asks for the first element only after so long. */
public final class InitialDelayStage<T> extends LinearStage<T, T> {
    private static final String TIMER = "delay";

    private final Duration delay;

    public InitialDelayStage(Duration delay) {
        super("initialDelay");
        this.delay = Durations.notNegative("initialDelay", delay);
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            private boolean isOpen;

            @Override
            public void preStart() {
                scheduleOnce(TIMER, delay);
            }

            @Override
            public void onTimer(Object key) {
                isOpen = true;
                if (isAvailable(out)) {
                    tryPull(in);
                }
            }

            @Override
            public void onPull() {
                if (isOpen) {
                    pull(in);
                }
            }

            @Override
            public void onPush() {
                push(out, grab(in));
            }
        };
    }
}
