package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.stage.GraphStageLogic;

/** Lets the first elements through, then completes. */
public final class TakeStage<T> extends LinearStage<T, T> {
    private final long count;

    public TakeStage(long count) {
        super("take");
        this.count = count;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            private long left = count;

            @Override
            public void preStart() {
                if (left <= 0) {
                    completeStage();
                }
            }

            @Override
            public void onPush() {
                push(out, grab(in));
                if (--left == 0) {
                    completeStage();
                }
            }
        };
    }
}
