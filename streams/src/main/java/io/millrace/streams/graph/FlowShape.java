package io.millrace.streams.graph;

import java.util.List;

/** One input and one output. */
public final class FlowShape<I, O> extends Shape {
    private final Inlet<I> in;
    private final Outlet<O> out;

    private FlowShape(Inlet<I> in, Outlet<O> out) {
        this.in = in;
        in.claim(0);
        this.out = out;
        out.claim(0);
    }

    /** A shape with these ports. */
    public static <I, O> FlowShape<I, O> of(Inlet<I> in, Outlet<O> out) {
        return new FlowShape<>(in, out);
    }

    public Inlet<I> in() {
        return in;
    }

    public Outlet<O> out() {
        return out;
    }

    @Override
    public List<Inlet<?>> inlets() {
        return List.of(in);
    }

    @Override
    public List<Outlet<?>> outlets() {
        return List.of(out);
    }

    @Override
    public FlowShape<I, O> copy() {
        return of(in.copy(), out.copy());
    }
}
