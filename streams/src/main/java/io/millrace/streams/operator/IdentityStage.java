package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.stage.GraphStageLogic;

/** Lets every element through. */
public final class IdentityStage<T> extends LinearStage<T, T> {
    public IdentityStage() {
        super("identity");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            public void onPush() {
                push(out, grab(in));
            }
        };
    }
}
