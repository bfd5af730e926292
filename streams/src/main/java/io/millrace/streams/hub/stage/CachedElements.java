package io.millrace.streams.hub.stage;

import io.millrace.streams.engine.island.StageWakeUp;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Everything one stream has emitted, in a list of chunks to which one writer adds and from which any number read.
 *
 * <p><b>Threads</b>: one stage writes; any number of stages read.<br>
 * <b>Owned</b>: {@code last}, by the writer.<br>
 * <b>Shared</b>: a chunk's places and its {@code next}: written before {@code count}, which is volatile, is; read after it was.
 * {@code end}: volatile, written once, after the last {@code count}. {@code waiting}: a stack to which a reader adds itself before it looks
 * at {@code count} and {@code end} again, and which the writer takes after it has written either; so does a reader that leaves, if most of those
 * in it have left: the others add themselves again. {@code left}: how many in the stack have left, about. {@code Waiting.reader}: volatile,
 * set to null by who wakes the reader and by the reader as it leaves. {@code claimed}: set once by who begins the stream.<br>
 * <b>States</b>: growing -> ended, by the writer.<br>
 * <b>Proved by</b>: SharingTest.
 */
final class CachedElements<T> {
    private static final int CHUNK = 64;

    private final Chunk first = new Chunk();
    private final AtomicBoolean claimed = new AtomicBoolean();
    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();
    private final AtomicInteger left = new AtomicInteger();
    private Chunk last = first;
    private volatile long count;
    private volatile @Nullable End end;

    /** How the stream has ended; without a failure if it has completed. */
    record End(@Nullable Throwable failure) {}

    /** Some elements, and where the next are. */
    private static final class Chunk {
        private final @Nullable Object[] places = new Object[CHUNK];
        private @Nullable Chunk next;
    }

    /** A reader that is to be woken, on top of those that came before it. */
    private static final class Waiting {
        private final @Nullable Waiting next;
        private final int depth;
        private volatile @Nullable StageWakeUp reader;

        Waiting(StageWakeUp reader, @Nullable Waiting next) {
            this.reader = reader;
            this.next = next;
            depth = next == null ? 1 : next.depth + 1;
        }
    }

    /** Whether this is the first call, whose caller is to begin the stream. */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    /** Adds an element; called by the writer. */
    void add(T element) {
        int place = (int) (count % CHUNK);
        if (place == 0 && count > 0) {
            Chunk next = new Chunk();
            last.next = next;
            last = next;
        }
        last.places[place] = element;
        publish(count + 1);
    }

    private void publish(long newCount) {
        count = newCount;
        wakeReaders();
    }

    /** There will be no more; called by the writer, or by who could not begin it, and only the first call counts. */
    void end(@Nullable Throwable failure) {
        if (end == null) {
            end = new End(failure);
            wakeReaders();
        }
    }

    private void wakeReaders() {
        if (waiting.get() != null) {
            left.set(0);
            for (Waiting at = waiting.getAndSet(null); at != null; at = at.next) {
                StageWakeUp reader = at.reader;
                at.reader = null;
                if (reader != null) {
                    reader.run();
                }
            }
        }
    }

    /** One reader's place; belongs to that reader. */
    final class Reader {
        private Chunk chunk = first;
        private long position;
        private @Nullable Waiting place;

        boolean hasNext() {
            return position < count;
        }

        /** Takes an element, of which there must be one. */
        @SuppressWarnings({"unchecked", "NullAway"}) // what stands before the count is not null
        T next() {
            int place = (int) (position % CHUNK);
            if (place == 0 && position > 0) {
                chunk = chunk.next;
            }
            position++;
            return (T) chunk.places[place];
        }

        /** How the stream has ended, once everything was taken. */
        @Nullable
        End end() {
            End seen = end;
            return hasNext() ? null : seen;
        }

        /** Has the reader woken when there is more, or the end; false if that is so already. */
        boolean waitForMore(StageWakeUp reader) {
            Waiting added;
            Waiting top;
            do {
                top = waiting.get();
                added = new Waiting(reader, top);
            } while (!waiting.compareAndSet(top, added));
            if (hasNext() || end != null) {
                added.reader = null;
                return false;
            }
            place = added;
            return true;
        }

        /** Is not to be woken any more. */
        void leave() {
            Waiting own = place;
            place = null;
            if (own == null || own.reader == null) {
                return;
            }
            own.reader = null;
            Waiting top = waiting.get();
            if (top != null && 2 * left.incrementAndGet() > top.depth) {
                wakeReaders();
            }
        }
    }
}
