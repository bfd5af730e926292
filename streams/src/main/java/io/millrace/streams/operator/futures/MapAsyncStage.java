package io.millrace.streams.operator.futures;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** Replaces each element by the result of a future, some at a time, in the order of the elements. */
public final class MapAsyncStage<I, O> extends LinearStage<I, O> {
    private final int parallelism;
    private final ThrowingFunction<? super I, ? extends CompletionStage<O>> function;

    public MapAsyncStage(int parallelism, ThrowingFunction<? super I, ? extends CompletionStage<O>> function) {
        super("mapAsync");
        this.parallelism = FuturesInOrder.checkedParallelism(parallelism);
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new FuturesInOrder<I, O>(this, parallelism, inherited) {
            @Override
            void begin(Place<I, O> place) throws Exception {
                await(place, () -> function.apply(place.takeElement()));
            }
        };
    }
}
