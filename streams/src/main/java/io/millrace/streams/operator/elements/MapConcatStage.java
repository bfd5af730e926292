package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Expansion;
import io.millrace.streams.engine.segment.ExpansionStage;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.ThrowingFunction;
import java.util.Iterator;
import java.util.Objects;

/** Replaces each element by any number of elements. */
public final class MapConcatStage<I, O> extends ExpansionStage<I, O> {
    public MapConcatStage(ThrowingFunction<? super I, ? extends Iterable<? extends O>> function) {
        super("mapConcat", new Body<>(Objects.requireNonNull(function, "function")));
    }

    private record Body<I, O>(ThrowingFunction<? super I, ? extends Iterable<? extends O>> function)
            implements Expansion<I> {
        @Override
        public Iterator<?> expand(I element) throws Exception {
            return Step.required(function.apply(element), "mapConcat").iterator();
        }
    }
}
