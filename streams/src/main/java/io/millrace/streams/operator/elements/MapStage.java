package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.FunctionStep;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingFunction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Replaces each element by what a function makes of it. */
public final class MapStage<I, O> extends StepStage<I, O> {
    public MapStage(ThrowingFunction<? super I, ? extends O> function) {
        super("map", new Body<>(Objects.requireNonNull(function, "function")));
    }

    private record Body<I, O>(ThrowingFunction<? super I, ? extends O> function) implements FunctionStep<I> {
        @Override
        @SuppressWarnings("unchecked") // it is its own
        public Object applyWith(Object exact, I element, @Nullable Object[] states, int at) throws Exception {
            return Step.required(((ThrowingFunction<? super I, ? extends O>) exact).apply(element), "map");
        }
    }
}
