package io.millrace.streams.graph;

import java.util.ArrayList;
import java.util.List;

/** One input, and any number of outputs of one type. */
public final class FanOutShape<I, O> extends Shape {
    private final Inlet<I> in;
    private final List<Outlet<O>> outs;
    private final List<Outlet<?>> outlets;

    private FanOutShape(Inlet<I> in, List<Outlet<O>> outs) {
        this.in = in;
        in.claim(0);
        this.outs = List.copyOf(outs);
        this.outlets = List.copyOf(this.outs);
        for (int i = 0; i < this.outs.size(); i++) {
            this.outs.get(i).claim(i);
        }
    }

    /** A shape with these ports. */
    public static <I, O> FanOutShape<I, O> of(Inlet<I> in, List<Outlet<O>> outs) {
        return new FanOutShape<>(in, outs);
    }

    /** A shape of new ports with this many outputs, named after the stage. */
    public static <I, O> FanOutShape<I, O> of(String name, int outputCount) {
        List<Outlet<O>> outs = new ArrayList<>(outputCount);
        for (int i = 0; i < outputCount; i++) {
            outs.add(Outlet.create(name + ".out" + i));
        }
        return of(Inlet.create(name + ".in"), outs);
    }

    public Inlet<I> in() {
        return in;
    }

    /** The output at this place, counted from 0. */
    public Outlet<O> out(int index) {
        return outs.get(index);
    }

    public int outputCount() {
        return outs.size();
    }

    @Override
    public List<Inlet<?>> inlets() {
        return List.of(in);
    }

    @Override
    public List<Outlet<?>> outlets() {
        return outlets;
    }

    @Override
    public FanOutShape<I, O> copy() {
        return of(in.copy(), outs.stream().map(Outlet::copy).toList());
    }
}
