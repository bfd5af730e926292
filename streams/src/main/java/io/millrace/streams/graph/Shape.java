package io.millrace.streams.graph;

import java.util.List;

/** The open ports of a graph, in a fixed order. */
public abstract class Shape {
    protected Shape() {}

    /** The input ports, always the same ones in the same order. */
    public abstract List<Inlet<?>> inlets();

    /** The output ports, always the same ones in the same order. */
    public abstract List<Outlet<?>> outlets();

    /** Gives every port its place; a shape of your own calls this at the end of its constructor. */
    protected final void claimPorts() {
        for (int i = 0; i < inlets().size(); i++) {
            inlets().get(i).claim(i);
        }
        for (int i = 0; i < outlets().size(); i++) {
            outlets().get(i).claim(i);
        }
    }

    /** A shape of the same kind with ports of its own. */
    public abstract Shape copy();
}
