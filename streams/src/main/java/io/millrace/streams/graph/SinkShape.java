package io.millrace.streams.graph;

import java.util.List;

/** One input. */
public final class SinkShape<I> extends Shape {
    private final Inlet<I> in;

    private SinkShape(Inlet<I> in) {
        this.in = in;
        in.claim(0);
    }

    /** A shape with this port. */
    public static <I> SinkShape<I> of(Inlet<I> in) {
        return new SinkShape<>(in);
    }

    public Inlet<I> in() {
        return in;
    }

    @Override
    public List<Inlet<?>> inlets() {
        return List.of(in);
    }

    @Override
    public List<Outlet<?>> outlets() {
        return List.of();
    }

    @Override
    public SinkShape<I> copy() {
        return of(in.copy());
    }
}
