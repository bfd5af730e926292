package io.millrace.streams;

import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;

/** An endless stream of 0, 1, 2 and so on. */
final class Counter extends GraphStage<SourceShape<Long>> {
    private final Outlet<Long> out = Outlet.create("counter.out");
    private final SourceShape<Long> shape = SourceShape.of(out);

    @Override
    public SourceShape<Long> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private long following;

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void onPull() {
            push(out, following++);
        }
    }
}
