package io.millrace.streams.graph;

import java.util.List;

/** Two inputs of different types, and one output. */
public final class FanInShape2<A, B, O> extends Shape {
    private final Inlet<A> in0;
    private final Inlet<B> in1;
    private final Outlet<O> out;

    private FanInShape2(Inlet<A> in0, Inlet<B> in1, Outlet<O> out) {
        this.in0 = in0;
        in0.claim(0);
        this.in1 = in1;
        in1.claim(1);
        this.out = out;
        out.claim(0);
    }

    /** A shape with these ports. */
    public static <A, B, O> FanInShape2<A, B, O> of(Inlet<A> in0, Inlet<B> in1, Outlet<O> out) {
        return new FanInShape2<>(in0, in1, out);
    }

    public Inlet<A> in0() {
        return in0;
    }

    public Inlet<B> in1() {
        return in1;
    }

    public Outlet<O> out() {
        return out;
    }

    @Override
    public List<Inlet<?>> inlets() {
        return List.of(in0, in1);
    }

    @Override
    public List<Outlet<?>> outlets() {
        return List.of(out);
    }

    @Override
    public FanInShape2<A, B, O> copy() {
        return of(in0.copy(), in1.copy(), out.copy());
    }
}
