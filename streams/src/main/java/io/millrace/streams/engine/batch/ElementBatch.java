package io.millrace.streams.engine.batch;

import io.millrace.streams.engine.pool.Cuttable;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Elements that stand one behind the other in a ring, for {@code StageContext.pushAll}. Belongs to one island; whoever fills
 * the ring leaves the places alone until the batch is taken.
 *
 * @param <T> what stands there
 */
public final class ElementBatch<T> implements Iterator<T>, Cuttable {
    private final @Nullable Object[] ring;
    private final int mask;
    private final Place next = new Place();
    /** The limit, or less when the batch was cut. */
    private final Place end = new Place();

    private long limit;

    /**
     * A position in an object of its own. The loop stores one of them and reads the other, plainly: for all the compiler knows they may be the same, so
     * it reads again for each element and sees a cut. An opaque read took half as long again as all else that an element costs.
     */
    private static final class Place {
        private long position;
    }

    /** Over a ring whose length is a power of two; an element stands at its position modulo that. */
    public ElementBatch(@Nullable Object[] ring) {
        this.ring = ring;
        this.mask = ring.length - 1;
    }

    /** The batch begins here and ends before there. */
    public void set(long from, long to) {
        next.position = from;
        limit = to;
        end.position = to;
    }

    @Override
    public void cut() {
        end.position = next.position;
    }

    /** Where the next element stands. */
    public long position() {
        return next.position;
    }

    @Override
    public boolean hasNext() {
        return next.position - end.position < 0;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // what stands within the batch is not null
    public T next() {
        long at = next.position;
        if (at == limit) {
            throw new NoSuchElementException("the batch is over");
        }
        next.position = at + 1;
        return (T) ring[(int) at & mask];
    }
}
