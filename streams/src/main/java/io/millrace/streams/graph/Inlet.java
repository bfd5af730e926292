package io.millrace.streams.graph;

/** An input port of a stage; it belongs to the first shape that is made with it. */
public final class Inlet<T> extends Port {
    private Inlet(String name) {
        super(name);
    }

    /** A new port; the name appears in error messages and snapshots. */
    public static <T> Inlet<T> create(String name) {
        return new Inlet<>(name);
    }

    /** A port of the same name that belongs to no shape yet. */
    public Inlet<T> copy() {
        return new Inlet<>(name());
    }
}
