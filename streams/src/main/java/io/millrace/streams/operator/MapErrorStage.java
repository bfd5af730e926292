package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.ThrowingFunction;
import io.millrace.streams.engine.Step;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Replaces what upstream fails with by another failure. */
public final class MapErrorStage<T> extends LinearStage<T, T> {
    private final ThrowingFunction<? super Throwable, ? extends Throwable> function;

    public MapErrorStage(ThrowingFunction<? super Throwable, ? extends Throwable> function) {
        super("mapError");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            public void onPush() {
                push(out, grab(in));
            }

            @Override
            public void onUpstreamFailure(Throwable failure) throws Exception {
                failStage(Step.required(function.apply(failure), "mapError"));
            }
        };
    }
}
