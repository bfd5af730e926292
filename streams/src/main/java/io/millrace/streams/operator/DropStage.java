package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.stage.GraphStageLogic;

/** Drops the first elements. */
public final class DropStage<T> extends LinearStage<T, T> {
    private final long count;

    public DropStage(long count) {
        super("drop");
        this.count = count;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            private long left = count;

            @Override
            public void onPush() {
                T element = grab(in);
                if (left > 0) {
                    left--;
                    pull(in);
                } else {
                    push(out, element);
                }
            }
        };
    }
}
