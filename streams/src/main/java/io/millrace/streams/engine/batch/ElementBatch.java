package io.millrace.streams.engine.batch;

import io.millrace.streams.engine.pool.Cuttable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
    private static final VarHandle END;

    static {
        try {
            END = MethodHandles.lookup().findVarHandle(ElementBatch.class, "end", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Object[] ring;
    private final int mask;
    private long position;
    private long limit;
    /** The limit, or less when the batch was cut. */
    @SuppressWarnings("UnusedVariable") // read by its handle
    private long end;

    /** Over a ring whose length is a power of two; an element stands at its position modulo that. */
    public ElementBatch(@Nullable Object[] ring) {
        this.ring = ring;
        this.mask = ring.length - 1;
    }

    /** The batch begins here and ends before there. */
    public void set(long from, long to) {
        position = from;
        limit = to;
        END.setOpaque(this, to);
    }

    @Override
    public void cut() {
        END.setOpaque(this, position);
    }

    /** Where the next element stands. */
    public long position() {
        return position;
    }

    @Override
    public boolean hasNext() {
        return position - (long) END.getOpaque(this) < 0;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // what stands within the batch is not null
    public T next() {
        long at = position;
        if (at == limit) {
            throw new NoSuchElementException("the batch is over");
        }
        position = at + 1;
        return (T) ring[(int) at & mask];
    }
}
