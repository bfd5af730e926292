package io.millrace.streams.engine;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Elements that stand one behind the other in a ring, for {@link StageCell#pushAll}. Belongs to one island; whoever fills
 * the ring leaves the places alone until the run is taken.
 *
 * @param <T> what stands there
 */
public final class ElementRun<T> implements Iterator<T> {
    private final @Nullable Object[] ring;
    private final int mask;
    private long position;
    private long end;

    /** Over a ring whose length is a power of two; an element stands at its position modulo that. */
    public ElementRun(@Nullable Object[] ring) {
        this.ring = ring;
        this.mask = ring.length - 1;
    }

    /** The run begins here and ends before there. */
    public void set(long from, long to) {
        position = from;
        end = to;
    }

    /** Where the next element stands. */
    public long position() {
        return position;
    }

    @Override
    public boolean hasNext() {
        return position != end;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // what stands within the run is not null
    public T next() {
        long at = position;
        if (at == end) {
            throw new NoSuchElementException("the run is over");
        }
        position = at + 1;
        return (T) ring[(int) at & mask];
    }
}
