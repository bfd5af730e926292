package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.ThrowingFunction;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Replaces each element by what a function makes of it. */
public final class MapStage<I, O> extends LinearStage<I, O> {
    private final ThrowingFunction<? super I, ? extends O> function;

    public MapStage(ThrowingFunction<? super I, ? extends O> function) {
        super("map");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            public void onPush() throws Exception {
                push(out, function.apply(grab(in)));
            }
        };
    }
}
