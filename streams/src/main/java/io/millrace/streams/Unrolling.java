package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.engine.segment.OriginStage;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.operator.junctions.ConcatStage;
import io.millrace.streams.operator.substreams.InnerSource;
import io.millrace.streams.operator.substreams.NestedSource;
import io.millrace.streams.operator.substreams.NestedSource.Made;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Takes the lazy sources off the end of a source that a lazy one has made: concatenated, they are made by the same stage
 * when their turn comes, so that a source which goes on with itself stays one stage, however often it does.
 */
final class Unrolling {
    private final Deque<NestedSource.Part<?>> parts = new ArrayDeque<>();
    private Attributes own = Attributes.NONE;

    private Unrolling() {}

    static <O, M> Made<O, M> of(Graph<SourceShape<O>, M> source) {
        return new Unrolling().unroll(source);
    }

    @SuppressWarnings("unchecked") // what is concatenated are sources of the elements of the whole
    private <O, M> Made<O, M> unroll(Graph<SourceShape<O>, M> source) {
        Blueprint whole = Blueprint.of(source);
        Blueprint rest = opened(whole);
        NestedSource<?, ?> last = lastOf(rest);
        while (last != null) {
            rest = opened(((Blueprint.Composite) rest).parts().get(0));
            last = lastOf(rest);
        }
        boolean isLazy = rest instanceof Blueprint.Stage stage && isLazy(stage);
        if (isLazy) {
            parts.push(new NestedSource.Part<>((NestedSource<O, ?>) ((Blueprint.Stage) rest).stage(), own));
        }
        Deque<NestedSource.Part<O>> lazyParts = (Deque<NestedSource.Part<O>>) (Deque<?>) parts;
        if (isLazy) {
            return new Made<>(null, null, lazyParts);
        }
        if (own == Attributes.NONE && rest instanceof Blueprint.Stage stage && isPlain(stage)) {
            return new Made<>(new InnerSource.Loop<>((OriginStage<O>) stage.stage()), null, lazyParts);
        }
        Blueprint head = own == Attributes.NONE ? rest : Blueprints.withAttributes(rest, own);
        return new Made<>(null, Source.ofBlueprint(head), lazyParts);
    }

    /** What is inside of attributes that say nothing about islands; they hold for all that is found from there on. */
    private Blueprint opened(Blueprint part) {
        Blueprint inside = part;
        while (inside instanceof Blueprint.Attributed attributed && staysInIsland(attributed.attributes())) {
            own = own.and(attributed.attributes());
            inside = attributed.part();
        }
        return inside;
    }

    /** The lazy source at the end, taken down, if that is where the part can be divided. */
    private @Nullable NestedSource<?, ?> lastOf(Blueprint part) {
        if (!(part instanceof Blueprint.Composite joined)
                || !Blueprints.isJoin(joined)
                || !(bare(joined.parts().get(2)) instanceof Blueprint.Stage junction)
                || !(junction.stage() instanceof ConcatStage<?> concat)
                || concat.delaysErrors()) {
            return null;
        }
        Attributes around = own;
        Blueprint second = opened(joined.parts().get(1));
        Attributes ofSecond = own;
        own = around;
        if (!(second instanceof Blueprint.Stage stage) || !isLazy(stage)) {
            return null;
        }
        NestedSource<?, ?> lazy = (NestedSource<?, ?>) stage.stage();
        parts.push(new NestedSource.Part<>(lazy, ofSecond));
        return lazy;
    }

    private static Blueprint bare(Blueprint part) {
        Blueprint inside = part;
        while (inside instanceof Blueprint.Attributed attributed) {
            inside = attributed.part();
        }
        return inside;
    }

    private static boolean isLazy(Blueprint.Stage part) {
        return part.stage() instanceof NestedSource<?, ?> nested && nested.isLazy();
    }

    private static boolean isPlain(Blueprint.Stage part) {
        return part.stage() instanceof OriginStage<?> origin && origin.isPlain();
    }

    private static boolean staysInIsland(Attributes own) {
        return own.find(Attributes.AsyncBoundary.class).isEmpty()
                && own.find(Attributes.Place.class).isEmpty()
                && own.find(Attributes.ObserveOn.class).isEmpty();
    }
}
