package io.millrace.streams.operator;

import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;

/** An operator with one outlet only. */
public abstract class SourceStage<O> extends GraphStage<SourceShape<O>> {
    private final String name;
    private final SourceShape<O> shape;

    protected SourceStage(String name) {
        this.name = name;
        shape = SourceShape.of(Outlet.create(name + ".out"));
    }

    @Override
    public final SourceShape<O> shape() {
        return shape;
    }

    @Override
    public final String name() {
        return name;
    }

    /** The logic of such an operator. */
    public abstract static class Logic<O> extends GraphStageLogic implements OutHandler {
        protected final Outlet<O> out;

        protected Logic(SourceStage<O> stage) {
            super(stage.shape);
            out = stage.shape.out();
            setHandler(out, this);
        }
    }
}
