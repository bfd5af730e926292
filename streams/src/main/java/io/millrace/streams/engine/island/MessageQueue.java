package io.millrace.streams.engine.island;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An unbounded queue of messages in chunks: a message costs its place in an array, and adding it one fetch-and-add, however
 * many add at once. Nothing that was taken is held. Source: the fetch-and-add queue of A. Morrison and Y. Afek, "Fast
 * concurrent queues for x86 processors" (PPoPP 2013), for one consumer and without closing of chunks.
 *
 * <p><b>Threads</b>: any thread adds; one at a time polls.<br>
 * <b>Owned</b>: {@code first} and the {@code taken} of its chunk, by who polls; they stand apart from what producers
 * write, so that neither side waits for the other's cache line while there is more than a chunk between them.<br>
 * <b>Shared</b>: {@code added}: by fetch-and-add; {@code last}: moved forward by compare-and-set. A producer reads it
 * before it has its place, so the chunk of its place is that one or further on. {@code next} of a chunk: set once. A place
 * is written once by its producer and cleared by who polls; until then the queue is not empty, and who polls waits.<br>
 * <b>Proved by</b>: MessageQueueTest, WakeUpStressTest.
 */
final class MessageQueue {
    private static final int CHUNK_SHIFT = 5;
    private static final int CHUNK = 1 << CHUNK_SHIFT;
    /** The next chunk is made while a chunk has so many places left, for the producers that take one at that moment. */
    private static final int SPARE_PLACES = CHUNK / 2;

    private static final VarHandle ADDED;
    private static final VarHandle LAST;
    private static final VarHandle NEXT;
    private static final VarHandle PLACES = MethodHandles.arrayElementVarHandle(Object[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ADDED = lookup.findVarHandle(MessageQueue.class, "added", long.class);
            LAST = lookup.findVarHandle(MessageQueue.class, "last", Chunk.class);
            NEXT = lookup.findVarHandle(Chunk.class, "next", Chunk.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Chunk first = new Chunk(0);
    private volatile Chunk last = first;
    private volatile long added;

    /** Adds a message, which is not null. */
    void add(Object message) {
        Chunk chunk = last;
        if (chunk.next == null && added - chunk.number * CHUNK >= SPARE_PLACES) {
            nextOf(chunk); // where memory is short, it fails before there is a place, which could not be given back
        }
        long place = (long) ADDED.getAndAdd(this, 1L);
        long number = place >> CHUNK_SHIFT;
        if (chunk.number != number) {
            chunk = chunkAfter(chunk, number);
        }
        PLACES.setRelease(chunk.places, (int) place & CHUNK - 1, message);
    }

    private Chunk chunkAfter(Chunk before, long number) {
        Chunk at = before;
        while (at.number < number) {
            at = nextOf(at);
        }
        Chunk seen = last;
        while (seen.number < number && !LAST.compareAndSet(this, seen, at)) {
            seen = last;
        }
        return at;
    }

    /** The chunk behind this one, which is made if there is none. */
    private static Chunk nextOf(Chunk chunk) {
        Chunk next = chunk.next;
        if (next != null) {
            return next;
        }
        Chunk made = new Chunk(chunk.number + 1);
        next = (Chunk) NEXT.compareAndExchange(chunk, null, made);
        return next == null ? made : next;
    }

    boolean isEmpty() {
        Chunk chunk = first;
        return chunk.number * CHUNK + chunk.taken == added;
    }

    /** Takes the oldest message, or null when there is none. */
    @Nullable
    Object poll() {
        Chunk chunk = first;
        if (chunk.taken == CHUNK) {
            Chunk next = chunk.next;
            if (next == null) {
                if (isEmpty()) {
                    return null;
                }
                next = awaitNext(chunk);
            }
            first = next;
            chunk = next;
        }
        int place = chunk.taken;
        Object message = PLACES.getAcquire(chunk.places, place);
        if (message == null) {
            if (isEmpty()) {
                return null;
            }
            message = awaitPlace(chunk, place);
        }
        chunk.places[place] = null;
        chunk.taken = place + 1;
        return message;
    }

    /**
     * Shows the messages that are queued, to another thread than the one that polls: all whose adding has returned, unless they are
     * polled meanwhile.
     */
    void forEachFromOutside(Consumer<Object> seen) {
        for (Chunk chunk = first; chunk != null; chunk = chunk.next) {
            for (int place = 0; place < CHUNK; place++) {
                Object message = PLACES.getAcquire(chunk.places, place);
                if (message != null) {
                    seen.accept(message);
                }
            }
        }
    }

    private static Chunk awaitNext(Chunk chunk) {
        Chunk next;
        while ((next = chunk.next) == null) {
            Thread.onSpinWait();
        }
        return next;
    }

    private static Object awaitPlace(Chunk chunk, int place) {
        Object message;
        while ((message = PLACES.getAcquire(chunk.places, place)) == null) {
            Thread.onSpinWait();
        }
        return message;
    }

    /** So many places, and how many of them were polled. */
    private static final class Chunk {
        private final long number;
        private final @Nullable Object[] places = new Object[CHUNK];
        private int taken;
        private volatile @Nullable Chunk next;

        Chunk(long number) {
            this.number = number;
        }
    }
}
