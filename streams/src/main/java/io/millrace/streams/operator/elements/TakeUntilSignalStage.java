package io.millrace.streams.operator.elements;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.stage.GraphStageLogic;

/** Lets elements through until a second input emits or completes, then completes. */
public final class TakeUntilSignalStage<T> extends SignalledStage<T> {
    public TakeUntilSignalStage() {
        super("takeUntil");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            void onSignal() {
                completeStage();
            }

            @Override
            public void onPush() {
                push(out, grab(in));
            }
        };
    }
}
