package io.millrace.broker.dispatch;

import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Position;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.MemoryBudget.Kind;
import java.time.Duration;

/**
 * What a subscription holds for entries, in bytes of the broker's budget: pending, waiting, delayed and partly
 * acknowledged ones. An entry counts as the most that it takes until it is acknowledged: consumers that leave and give
 * back what they hold do not make it more. It is counted again when a rough estimate has changed by a sixteenth, and as
 * much is counted on top for what comes until then. A few entries are never refused, so that every subscription makes
 * progress whatever others hold. Single owner.
 */
final class EntryMemory {
    /** Up to this number, entries are not refused. */
    static final int ALWAYS_KEPT = 64;

    /** Up to this number of bytes, acknowledgements far apart are not refused. */
    private static final int ALWAYS_KEPT_ACKS_BYTES = 1_000;

    /** Entries of few bytes that may change before it is counted again. */
    private static final int UNCOUNTED = 16;

    private static final int STEP_SHARE = 16;
    private static final int WORDS_PER_ENTRY = 8;
    /**
     * Bytes of a pending entry among others, of a waiting one, of a delayed one, and of a tick at which some are due.
     */
    private static final int MIN_BYTES = 12;

    /** Bytes of one that is delayed, at a tick of its own. */
    private static final int MAX_BYTES = 160;

    private static final int WAITING_BYTES = 16;
    private static final int DELAYED_BYTES = 24;
    private static final int TICK_BYTES = 100;
    private static final int PARTIAL_BYTES = 128;
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final MemoryBudget memory;
    private final Held held;
    private final DispatcherContext context;
    private final Runnable wake = this::wake;
    /** What the tables take while they hold nothing: that is in the weight of a subscription. */
    private final long emptyBytes;

    private long countedRoughBytes;
    private long heldBytes;
    private boolean waiting;

    /**
     * Where entries are.
     *
     * @param copies how many copies of the cursor exist: for a durable subscription the log has a second one
     */
    record Held(
            PendingAcks pending, RedeliveryQueue redelivery, DelayedEntries delayed, CursorState cursor, int copies) {
        /** The number of entries; a long ack set counts as several. */
        private long entries() {
            return pending.size()
                    + (long) redelivery.size()
                    + delayed.size()
                    + cursor.partialCount()
                    + cursor.ackSetWords() / WORDS_PER_ENTRY;
        }

        /** An estimate of what they take, from counts alone; at least {@link #MIN_BYTES} for each. */
        private long roughBytes() {
            return (long) pending.size() * MIN_BYTES
                    + ((long) redelivery.size() + redelivery.sentBefore()) * WAITING_BYTES
                    + (long) delayed.size() * DELAYED_BYTES
                    + (long) delayed.tickCount() * TICK_BYTES
                    + (long) cursor.partialCount() * PARTIAL_BYTES
                    + (cursor.ackSetWords() * Long.BYTES + cursor.ackedBytes()) * copies;
        }

        /** What the tables take at most: each entry may come back, then it waits, with its hash and a count. */
        private long bytes() {
            long places = pending.heapBytes() + redelivery.waitingBytes();
            long hashes = KeyHashCounts.maxHeapBytes(pending.size() + (long) redelivery.size() + delayed.size());
            return places
                    + Math.max(places, redelivery.countBytes())
                    + Math.max(hashes, redelivery.hashBytes())
                    + pending.hashBytes()
                    + delayed.heapBytes();
        }
    }

    EntryMemory(MemoryBudget memory, Held held, DispatcherContext context) {
        this.memory = memory;
        this.held = held;
        emptyBytes = held.bytes();
        this.context = context;
    }

    /** Whether the subscription may hold more entries than it does. */
    boolean hasRoom() {
        return update() < ALWAYS_KEPT || !memory.isShort(Kind.ENTRIES);
    }

    /** Whether an entry that is not held may be acknowledged: one far from others takes room until those between are. */
    boolean hasRoomToAck(Position position) {
        if (!held.cursor.grows(position) || held.cursor.ackedBytes() < ALWAYS_KEPT_ACKS_BYTES) {
            return true;
        }
        update();
        return !memory.isShort(Kind.ENTRIES);
    }

    /** How many more it may hold; a dispatcher that may hold none gets another turn in a second. */
    long roomToReadOn() {
        long kept = ALWAYS_KEPT - update();
        long freeBytes = memory.freeBytes(Kind.ENTRIES);
        long room = Math.max(kept, freeBytes > 0 ? 1 + freeBytes / MAX_BYTES : 0);
        if (room <= 0 && !waiting) {
            waiting = true;
            memory.warn(Kind.ENTRIES);
            context.later(wake, LOOK_AGAIN);
        }
        return Math.max(0, room);
    }

    /** Why an acknowledgement cannot be kept. */
    BrokerException refusal() {
        memory.warn(Kind.ENTRIES);
        return new BrokerException(ErrorKind.TOO_MANY_REQUESTS, memory.refusal(Kind.ENTRIES));
    }

    /** Counts again if that is due; returns the number of entries. */
    long update() {
        long entries = held.entries();
        long roughBytes = held.roughBytes();
        long step = Math.max(UNCOUNTED * MIN_BYTES, countedRoughBytes / STEP_SHARE);
        boolean isEmptied = roughBytes == 0 && countedRoughBytes != 0;
        if (Math.abs(roughBytes - countedRoughBytes) > step || isEmptied) {
            countedRoughBytes = roughBytes;
            long bytes = Math.max(0, held.bytes() - emptyBytes) + held.copies * held.cursor.heapBytes();
            hold(bytes + bytes / STEP_SHARE);
        }
        return entries;
    }

    /** Whether the log's copy of the cursor is so small that it need not count when this one is gone. */
    boolean isCursorSmall() {
        return held.cursor.heapBytes() <= ALWAYS_KEPT_ACKS_BYTES;
    }

    /** The subscription ends. */
    void giveBack() {
        hold(0);
    }

    private void hold(long bytes) {
        if (bytes != heldBytes) {
            memory.change(Kind.ENTRIES, bytes - heldBytes);
            heldBytes = bytes;
        }
    }

    private void wake() {
        waiting = false;
        context.requestTurn();
    }
}
