package io.millrace.streams.graph;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An open end of a graph, to which another is connected.
 *
 * <p><b>Threads</b>: its shape may be read by any; what is attached is for the one that puts a graph together.
 */
public abstract sealed class Port permits Inlet, Outlet {
    private final String name;
    private int index = -1;
    private @Nullable Object attachment;

    Port(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    /** The name in error messages and snapshots. */
    public final String name() {
        return name;
    }

    /** The place among the ports of its kind in its shape, or -1 while it belongs to none. */
    public final int index() {
        return index;
    }

    final void claim(int place) {
        if (index < 0) {
            index = place;
        }
    }

    /** Attaches an object of who puts graphs together, such as where in the graph the port is, in place of what was attached before. */
    public final void attach(Object note) {
        attachment = note;
    }

    /** What was attached last, or null. */
    public final @Nullable Object attachment() {
        return attachment;
    }

    @Override
    public final String toString() {
        return name;
    }
}
