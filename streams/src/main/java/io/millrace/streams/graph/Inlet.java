package io.millrace.streams.graph;

import java.util.Objects;

/** An input port of a stage; it belongs to the first shape that is made with it. */
public final class Inlet<T> {
    private final String name;
    private int index = -1;

    private Inlet(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    /** A new port; the name appears in error messages and snapshots. */
    public static <T> Inlet<T> create(String name) {
        return new Inlet<>(name);
    }

    public String name() {
        return name;
    }

    /** The place among the inlets of its shape, or -1 while it belongs to none. */
    public int index() {
        return index;
    }

    /** A port of the same name that belongs to no shape yet. */
    public Inlet<T> copy() {
        return new Inlet<>(name);
    }

    Inlet<T> claim(int place) {
        if (index < 0) {
            index = place;
        }
        return this;
    }

    @Override
    public String toString() {
        return name;
    }
}
