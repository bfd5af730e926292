package io.millrace.streams;

import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Pair;
import java.util.Objects;

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
    public <P, D> SourceWithContext<P, D, M> via(Graph<? extends FlowShape<? super Pair<O, C>, Pair<P, D>>, ?> flow) {
        return new SourceWithContext<>(pairs.<Pair<P, D>>via(flow));
    }
}
