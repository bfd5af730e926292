package io.millrace.streams.graph;

import java.util.ArrayList;
import java.util.List;

/** Any number of inputs of one type, and one output. */
public final class FanInShape<I, O> extends Shape {
    private final List<Inlet<I>> ins;
    private final List<Inlet<?>> inlets;
    private final Outlet<O> out;

    private FanInShape(List<Inlet<I>> ins, Outlet<O> out) {
        this.ins = List.copyOf(ins);
        this.inlets = List.copyOf(this.ins);
        this.out = out;
        out.claim(0);
        for (int i = 0; i < this.ins.size(); i++) {
            this.ins.get(i).claim(i);
        }
    }

    /** A shape with these ports. */
    public static <I, O> FanInShape<I, O> of(List<Inlet<I>> ins, Outlet<O> out) {
        return new FanInShape<>(ins, out);
    }

    /** A shape of new ports with this many inputs, named after the stage. */
    public static <I, O> FanInShape<I, O> of(String name, int inputCount) {
        List<Inlet<I>> ins = new ArrayList<>(inputCount);
        for (int i = 0; i < inputCount; i++) {
            ins.add(Inlet.create(name + ".in" + i));
        }
        return of(ins, Outlet.create(name + ".out"));
    }

    /** The input at this place, counted from 0. */
    public Inlet<I> in(int index) {
        return ins.get(index);
    }

    public int inputCount() {
        return ins.size();
    }

    public Outlet<O> out() {
        return out;
    }

    @Override
    public List<Inlet<?>> inlets() {
        return inlets;
    }

    @Override
    public List<Outlet<?>> outlets() {
        return List.of(out);
    }

    @Override
    public FanInShape<I, O> copy() {
        return of(ins.stream().map(Inlet::copy).toList(), out.copy());
    }
}
