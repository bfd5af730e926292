package io.millrace.streams.operator.elements;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Signal;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;

/** Emits what comes from upstream as values, its end included, and then completes. */
public final class MaterializeStage<T> extends LinearStage<T, Signal<T>> {
    public MaterializeStage() {
        super("materialize");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            public void onPush() {
                push(out, new Signal.Next<>(grab(in)));
            }

            @Override
            public void onUpstreamFinish() {
                emit(out, new Signal.Completed<>());
                completeStage();
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
                emit(out, new Signal.Failed<>(failure));
                completeStage();
            }
        };
    }
}
