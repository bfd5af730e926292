package io.millrace.streams.engine.island;

import io.millrace.streams.engine.batch.BatchSink;
import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.engine.failure.Unchecked;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A batch that a stage takes one by one: open, next, close. It counts what was taken, knows how much is enough, and knows who is to blame for what is
 * thrown meanwhile. Belongs to the stage, and is used again.
 */
public final class BatchLease {
    /** So many elements a batch has at most before other events of the island have their turn. */
    public static final int MAX_ELEMENTS = 1024;

    private @Nullable Edge edge;
    private @Nullable Iterator<?> elements;
    private int count;
    private boolean isAbove;

    /** Opens a batch of what is there above this edge; whether there may be anything. */
    public boolean open(Edge from) {
        edge = from;
        elements = from.openBatch();
        count = 0;
        isAbove = false;
        return elements != null;
    }

    /** Whether there is another element now. */
    public boolean hasNext() {
        Iterator<?> batch = elements;
        if (batch == null) {
            return false;
        }
        isAbove = true;
        boolean has = batch.hasNext();
        isAbove = false;
        return has;
    }

    /** Takes the next element, which must be there. */
    public Object take() {
        Iterator<?> batch = elements;
        if (batch == null) {
            throw new NoSuchElementException("no batch is open");
        }
        isAbove = true;
        Object element = NotNull.checked(batch.next(), "", "the iterator gave null");
        isAbove = false;
        count++;
        return element;
    }

    /** Whether it is time for others, one element at least being taken. */
    public boolean isEnough() {
        return count == MAX_ELEMENTS || (count > 0 && edge != null && !edge.mayGoOn());
    }

    /** Has the taker take the next element on behalf of its stage; whether there was one, and it was not time for others. */
    public boolean give(StageContext stage, BatchSink taker) {
        if (isEnough() || !hasNext()) {
            return false;
        }
        Object element = take();
        int before = stage.beginWork();
        try {
            taker.take(element);
        } catch (Exception e) {
            throw Unchecked.of(e);
        } finally {
            stage.endWork(before);
        }
        return true;
    }

    /** In a handler of the taker's: opens a batch, has the taker take what it wants of it, and closes it. */
    public static void takeAll(Edge from, BatchSink taker) throws Exception {
        Iterator<?> elements = from.openBatch();
        if (elements == null) {
            return;
        }
        int count = 0;
        boolean isAbove = false;
        Throwable thrown = null;
        try {
            while (count < MAX_ELEMENTS && taker.wantsMore() && from.mayGoOn()) {
                isAbove = true;
                if (!elements.hasNext()) {
                    break;
                }
                Object element = elements.next();
                if (element == null) {
                    throw new NullElementException("", "the iterator gave null");
                }
                count++;
                isAbove = false;
                taker.take(element);
            }
        } catch (Throwable t) {
            thrown = t;
        }
        from.closeBatch(count, isAbove ? thrown : null);
        if (thrown != null && !isAbove) {
            throw Unchecked.of(thrown);
        }
    }

    /**
     * Closes it, if it is open, after that was thrown, if anything was: what the batch has thrown goes back to whoever gave it. What is left is the
     * failure of the taker.
     */
    public @Nullable Throwable close(@Nullable Throwable thrown) {
        boolean cameFromAbove = isAbove;
        isAbove = false;
        Edge from = edge;
        if (elements != null && from != null) {
            elements = null;
            from.closeBatch(count, cameFromAbove ? thrown : null);
        }
        return cameFromAbove ? null : thrown;
    }
}
