package io.millrace.streams;

import io.millrace.streams.engine.plan.Combine;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import java.util.function.BiFunction;

/** Which of two materialized values to keep when graphs are put together. */
public final class Keep {
    private Keep() {}

    /** The value of the graph that was there first. */
    @SuppressWarnings("unchecked")
    public static <A, B> BiFunction<A, B, A> left() {
        return (BiFunction<A, B, A>) (BiFunction<?, ?, ?>) Combine.LEFT;
    }

    /** The value of the graph that is added. */
    @SuppressWarnings("unchecked")
    public static <A, B> BiFunction<A, B, B> right() {
        return (BiFunction<A, B, B>) (BiFunction<?, ?, ?>) Combine.RIGHT;
    }

    /** Both values. */
    @SuppressWarnings("unchecked")
    public static <A, B> BiFunction<A, B, Pair<A, B>> both() {
        return (BiFunction<A, B, Pair<A, B>>) (BiFunction<?, ?, ?>) Combine.BOTH;
    }

    /** Neither value. */
    @SuppressWarnings("unchecked")
    public static <A, B> BiFunction<A, B, NotUsed> none() {
        return (BiFunction<A, B, NotUsed>) (BiFunction<?, ?, ?>) Combine.NONE;
    }
}
