package io.millrace.streams.operator;

import io.millrace.streams.FlowShape;
import io.millrace.streams.Inlet;
import io.millrace.streams.NotUsed;
import io.millrace.streams.Outlet;
import io.millrace.streams.ThrowingFunction;
import io.millrace.streams.engine.Expansion;
import io.millrace.streams.engine.Fusable;
import io.millrace.streams.engine.Step;
import java.util.Iterator;
import java.util.Objects;

/** Replaces each element by any number of elements. */
public final class MapConcatStage<I, O> extends SynchronousStage<FlowShape<I, O>, NotUsed>
        implements Fusable.ByExpansion {
    private final Body<I, O> body;

    public MapConcatStage(ThrowingFunction<? super I, ? extends Iterable<? extends O>> function) {
        super("mapConcat");
        body = new Body<>(Objects.requireNonNull(function, "function"));
    }

    @Override
    public Expansion<I> expansion() {
        return body;
    }

    @Override
    FlowShape<I, O> newShape(String operatorName) {
        return FlowShape.of(Inlet.create(operatorName + ".in"), Outlet.create(operatorName + ".out"));
    }

    private record Body<I, O>(ThrowingFunction<? super I, ? extends Iterable<? extends O>> function)
            implements Expansion<I> {
        @Override
        public Iterator<?> expand(I element) throws Exception {
            return Step.required(function.apply(element), "mapConcat").iterator();
        }
    }
}
