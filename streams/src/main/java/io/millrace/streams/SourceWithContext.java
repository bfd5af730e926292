package io.millrace.streams;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Pair;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A source whose elements carry a context, such as an offset to commit or a trace to go on with; what operators make of an
 * element keeps its context. Operators that would lose one or mix them up are not here. Immutable.
 *
 * @param <O> what it emits
 * @param <C> the context of what it emits
 * @param <M> what a run of it gives back
 */
public final class SourceWithContext<O, C, M> extends SourceWithContextElements<O, C, M> {
    private final Source<Pair<O, C>, M> pairs;

    private SourceWithContext(Source<Pair<O, C>, M> pairs) {
        this.pairs = Objects.requireNonNull(pairs, "pairs");
    }

    /** A source of elements with their contexts. */
    public static <O, C, M> SourceWithContext<O, C, M> fromPairs(Source<Pair<O, C>, M> pairs) {
        return new SourceWithContext<>(pairs);
    }

    /** The elements with their contexts, as an ordinary source: where contexts are no longer looked after. */
    public Source<Pair<O, C>, M> asSource() {
        return pairs;
    }

    @Override
    public <P, D, M2, M3> SourceWithContext<P, D, M3> viaMat(
            Graph<? extends FlowShape<? super Pair<O, C>, Pair<P, D>>, M2> flow,
            BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return new SourceWithContext<>(pairs.<Pair<P, D>, M2, M3>viaMat(flow, combine));
    }

    @Override
    public <M2> SourceWithContext<O, C, M2> mapMaterializedValue(Function<? super M, ? extends M2> function) {
        return new SourceWithContext<>(pairs.<M2>mapMaterializedValue(function));
    }

    @Override
    public SourceWithContext<O, C, M> withAttributes(Attributes attributes) {
        return new SourceWithContext<>(pairs.withAttributes(attributes));
    }
}
