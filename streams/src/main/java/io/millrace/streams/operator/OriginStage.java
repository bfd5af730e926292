package io.millrace.streams.operator;

import io.millrace.streams.NotUsed;
import io.millrace.streams.Outlet;
import io.millrace.streams.SourceShape;
import io.millrace.streams.engine.Fusable;
import io.millrace.streams.engine.Origin;

/** A source that is a loop over an iterator. */
abstract class OriginStage<O> extends SynchronousStage<SourceShape<O>, NotUsed> implements Fusable.ByOrigin {
    private final Origin origin;

    OriginStage(String name, Origin origin) {
        super(name);
        this.origin = origin;
    }

    @Override
    public final Origin origin() {
        return origin;
    }

    @Override
    final SourceShape<O> newShape(String operatorName) {
        return SourceShape.of(Outlet.create(operatorName + ".out"));
    }
}
