package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import java.util.Iterator;

/** A source that is a loop over an iterator: it begins a segment out of nothing. */
public abstract non-sealed class OriginStage<O> extends SynchronousStage<SourceShape<O>, NotUsed> {
    private final Origin origin;

    protected OriginStage(String name, Origin origin) {
        super(name);
        this.origin = origin;
    }

    /** What one run emits, for a stage that emits it in place of this one. */
    public final Iterator<?> newIterator() throws Exception {
        return iterator(origin);
    }

    /** Whether a run calls nothing of the user's. */
    public final boolean isPlain() {
        return origin.isPlain();
    }

    static Iterator<?> iterator(Origin origin) throws Exception {
        return NotNull.checked(origin.newIterator(), "", "there is no iterator, but null");
    }

    public final Origin origin() {
        return origin;
    }

    @Override
    final SourceShape<O> newShape(String operatorName) {
        return SourceShape.of(Outlet.create(operatorName + ".out"));
    }
}
