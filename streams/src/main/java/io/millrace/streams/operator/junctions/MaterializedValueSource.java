package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.util.function.Consumer;

/** Emits the materialized value of the graph around it, which gives it in when the graph is run; then completes. */
public final class MaterializedValueSource<M> extends GraphStageWithMaterializedValue<SourceShape<M>, Consumer<M>> {
    private final Outlet<M> out = Outlet.create("materializedValue.out");
    private final SourceShape<M> shape = SourceShape.of(out);

    @Override
    public SourceShape<M> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "materializedValue";
    }

    @Override
    public LogicAndValue<Consumer<M>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.given::invoke);
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final AsyncCallback<M> given = asyncCallback(this::onGiven);

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void onPull() {
            // The value comes when the graph around has it.
        }

        private void onGiven(M value) {
            emit(out, NotNull.checked(value, "materializedValue", "the graph's materialized value is null"));
            completeStage();
        }
    }
}
