package io.millrace.streams;

import java.util.List;

/** The open ports of a graph, in a fixed order. */
public abstract class Shape {
    protected Shape() {}

    /** The input ports, always the same ones in the same order. */
    public abstract List<Inlet<?>> inlets();

    /** The output ports, always the same ones in the same order. */
    public abstract List<Outlet<?>> outlets();

    /** A shape of the same kind with ports of its own. */
    public abstract Shape copy();
}
