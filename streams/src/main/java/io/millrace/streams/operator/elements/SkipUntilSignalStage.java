package io.millrace.streams.operator.elements;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.stage.GraphStageLogic;

/** Drops elements until a second input emits or completes. */
public final class SkipUntilSignalStage<T> extends SignalledStage<T> {
    public SkipUntilSignalStage() {
        super("skipUntil");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            private boolean isOpen;

            @Override
            void onSignal() {
                isOpen = true;
                cancel(signal);
            }

            @Override
            public void onPush() {
                T element = grab(in);
                if (isOpen) {
                    push(out, element);
                } else {
                    tryPull(in);
                }
            }
        };
    }
}
