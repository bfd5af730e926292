package io.millrace.streams.graph;

/** An output port of a stage; it belongs to the first shape that is made with it. */
public final class Outlet<T> extends Port {
    private Outlet(String name) {
        super(name);
    }

    /** A new port; the name appears in error messages and snapshots. */
    public static <T> Outlet<T> create(String name) {
        return new Outlet<>(name);
    }

    /** A port of the same name that belongs to no shape yet. */
    public Outlet<T> copy() {
        return new Outlet<>(name());
    }
}
