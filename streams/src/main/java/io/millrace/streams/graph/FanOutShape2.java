package io.millrace.streams.graph;

import java.util.List;

/** One input, and two outputs of different types. */
public final class FanOutShape2<I, A, B> extends Shape {
    private final Inlet<I> in;
    private final Outlet<A> out0;
    private final Outlet<B> out1;

    private FanOutShape2(Inlet<I> in, Outlet<A> out0, Outlet<B> out1) {
        this.in = in;
        in.claim(0);
        this.out0 = out0;
        out0.claim(0);
        this.out1 = out1;
        out1.claim(1);
    }

    /** A shape with these ports. */
    public static <I, A, B> FanOutShape2<I, A, B> of(Inlet<I> in, Outlet<A> out0, Outlet<B> out1) {
        return new FanOutShape2<>(in, out0, out1);
    }

    public Inlet<I> in() {
        return in;
    }

    public Outlet<A> out0() {
        return out0;
    }

    public Outlet<B> out1() {
        return out1;
    }

    @Override
    public List<Inlet<?>> inlets() {
        return List.of(in);
    }

    @Override
    public List<Outlet<?>> outlets() {
        return List.of(out0, out1);
    }

    @Override
    public FanOutShape2<I, A, B> copy() {
        return of(in.copy(), out0.copy(), out1.copy());
    }
}
