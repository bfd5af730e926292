package io.millrace.streams.engine;

import io.millrace.streams.NotUsed;
import io.millrace.streams.Outlet;
import io.millrace.streams.SourceShape;

/** A source that is a loop over an iterator: it begins a segment out of nothing. */
public abstract non-sealed class OriginStage<O> extends SynchronousStage<SourceShape<O>, NotUsed> {
    private final Origin origin;

    protected OriginStage(String name, Origin origin) {
        super(name);
        this.origin = origin;
    }

    final Origin origin() {
        return origin;
    }

    @Override
    final SourceShape<O> newShape(String operatorName) {
        return SourceShape.of(Outlet.create(operatorName + ".out"));
    }
}
