package io.millrace.streams.graph;

import java.util.Objects;

/** An output port of a stage; it belongs to the first shape that is made with it. */
public final class Outlet<T> {
    private final String name;
    private int index = -1;

    private Outlet(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    /** A new port; the name appears in error messages and snapshots. */
    public static <T> Outlet<T> create(String name) {
        return new Outlet<>(name);
    }

    public String name() {
        return name;
    }

    /** The place among the outlets of its shape, or -1 while it belongs to none. */
    public int index() {
        return index;
    }

    /** A port of the same name that belongs to no shape yet. */
    public Outlet<T> copy() {
        return new Outlet<>(name);
    }

    Outlet<T> claim(int place) {
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
