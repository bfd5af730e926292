package io.millrace.streams.graph;

import java.util.List;

/** One output. */
public final class SourceShape<O> extends Shape {
    private final Outlet<O> out;

    private SourceShape(Outlet<O> out) {
        this.out = out;
        out.claim(0);
    }

    /** A shape with this port. */
    public static <O> SourceShape<O> of(Outlet<O> out) {
        return new SourceShape<>(out);
    }

    public Outlet<O> out() {
        return out;
    }

    @Override
    public List<Inlet<?>> inlets() {
        return List.of();
    }

    @Override
    public List<Outlet<?>> outlets() {
        return List.of(out);
    }

    @Override
    public SourceShape<O> copy() {
        return of(out.copy());
    }
}
