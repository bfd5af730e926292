package io.millrace.streams.engine.island;

import io.millrace.streams.graph.Shape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.StageBinding;
import io.millrace.streams.stage.StageScope;

/** Binds the stages of a run that is put together, on whatever thread. */
public enum Outside implements StageScope {
    SCOPE;

    @Override
    public StageBinding bind(GraphStageLogic logic, Shape shape) {
        return new StageContext(logic, shape);
    }

    @Override
    public StageBinding active() {
        throw new IllegalStateException("no handler is running on this thread");
    }
}
