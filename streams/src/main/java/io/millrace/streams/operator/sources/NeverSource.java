package io.millrace.streams.operator.sources;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.SourceStage;
import io.millrace.streams.stage.GraphStageLogic;

/** Emits nothing and never ends, unless it is cancelled. */
public final class NeverSource<O> extends SourceStage<O> {

    public NeverSource() {
        super("never");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Silence<>(this);
    }

    private static final class Silence<O> extends Logic<O> {
        Silence(NeverSource<O> stage) {
            super(stage);
        }

        @Override
        public void onPull() {
            // Demand is never met; the stage lives until it is cancelled.
        }
    }
}
