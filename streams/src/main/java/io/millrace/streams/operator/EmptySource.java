package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.stage.GraphStageLogic;

/** Completes at once. */
public final class EmptySource<O> extends SourceStage<O> {

    public EmptySource() {
        super("empty");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            public void preStart() {
                completeStage();
            }

            @Override
            public void onPull() {
                throw new IllegalStateException("this source has ended before it was asked for an element");
            }
        };
    }
}
