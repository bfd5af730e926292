package io.millrace.streams;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A flow whose elements carry a context, such as an offset to commit or a trace to go on with; what operators make of an
 * element keeps its context. Operators that would lose one or mix them up are not here. Immutable.
 *
 * @param <I> what it takes
 * @param <CI> the context of what it takes
 * @param <O> what it emits
 * @param <C> the context of what it emits
 * @param <M> what a run of it gives back
 */
public final class FlowWithContext<I, CI, O, C, M> extends FlowWithContextElements<I, CI, O, C, M> {
    private final Flow<Pair<I, CI>, Pair<O, C>, M> pairs;

    private FlowWithContext(Flow<Pair<I, CI>, Pair<O, C>, M> pairs) {
        this.pairs = Objects.requireNonNull(pairs, "pairs");
    }

    /** Lets every element through with its context: where a flow begins. */
    public static <O, C> FlowWithContext<O, C, O, C, NotUsed> create() {
        return new FlowWithContext<>(Flow.create());
    }

    /** A flow of elements with their contexts. */
    public static <I, CI, O, C, M> FlowWithContext<I, CI, O, C, M> fromPairs(Flow<Pair<I, CI>, Pair<O, C>, M> pairs) {
        return new FlowWithContext<>(pairs);
    }

    /** The elements with their contexts, as an ordinary flow: where contexts are no longer looked after. */
    public Flow<Pair<I, CI>, Pair<O, C>, M> asFlow() {
        return pairs;
    }

    @SuppressWarnings("unchecked") // what takes more takes these pairs, too, which nobody can change
    static <O, C, P, D, M> FlowWithContext<O, C, P, D, M> narrowed(
            FlowWithContext<? super O, ? super C, P, D, M> flow) {
        return (FlowWithContext<O, C, P, D, M>) flow;
    }

    @Override
    public <P, D, M2, M3> FlowWithContext<I, CI, P, D, M3> viaMat(
            Graph<? extends FlowShape<? super Pair<O, C>, Pair<P, D>>, M2> flow,
            BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return new FlowWithContext<>(pairs.<Pair<P, D>, M2, M3>viaMat(flow, combine));
    }

    @Override
    public <M2> FlowWithContext<I, CI, O, C, M2> mapMaterializedValue(Function<? super M, ? extends M2> function) {
        return new FlowWithContext<>(pairs.<M2>mapMaterializedValue(function));
    }

    @Override
    public FlowWithContext<I, CI, O, C, M> withAttributes(Attributes attributes) {
        return new FlowWithContext<>(pairs.withAttributes(attributes));
    }
}
