package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.ThrowingFunction;
import io.millrace.streams.engine.Step;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Replaces a failure of upstream by one last element. */
public final class RecoverStage<T> extends LinearStage<T, T> {
    private final ThrowingFunction<? super Throwable, ? extends T> function;

    public RecoverStage(ThrowingFunction<? super Throwable, ? extends T> function) {
        super("recover");
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
                emit(out, Step.required(function.apply(failure), "recover"));
                completeStage();
            }
        };
    }
}
