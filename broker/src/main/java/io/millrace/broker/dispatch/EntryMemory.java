package io.millrace.broker.dispatch;

import io.millrace.broker.log.CursorState;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.MemoryBudget.Kind;
import java.time.Duration;

/**
 * What a subscription holds for entries, in bytes of the broker's budget: pending, waiting, delayed and partly
 * acknowledged ones. It is counted again when a rough estimate has changed by an eighth. A few entries are free, so
 * that every subscription makes progress whatever others hold. Single owner.
 */
final class EntryMemory {
    /** Up to this number, entries are neither counted nor refused. */
    static final int ALWAYS_KEPT = 256;

    private static final int STEP_SHARE = 8;
    private static final int WORDS_PER_ENTRY = 8;
    /**
     * Bytes of a pending entry among others, of a waiting one, of a delayed one, and of a tick at which some are due.
     */
    private static final int MIN_BYTES = 12;

    private static final int WAITING_BYTES = 16;
    private static final int DELAYED_BYTES = 24;
    private static final int TICK_BYTES = 350;
    private static final int PARTIAL_BYTES = 128;
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final MemoryBudget memory;
    private final Held held;
    private final DispatcherContext context;
    private final Runnable wake = this::wake;
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
        /** The number of entries; a long ack set and a page of counters count as several. */
        private long entries() {
            return pending.size()
                    + (long) redelivery.weight()
                    + delayed.size()
                    + cursor.partialCount()
                    + cursor.ackSetWords() / WORDS_PER_ENTRY;
        }

        /** An estimate of what they take, from counts alone; at least {@link #MIN_BYTES} for each. */
        private long roughBytes() {
            return (long) pending.size() * MIN_BYTES
                    + (long) redelivery.weight() * WAITING_BYTES
                    + (long) delayed.size() * DELAYED_BYTES
                    + (long) delayed.tickCount() * TICK_BYTES
                    + (long) cursor.partialCount() * PARTIAL_BYTES
                    + cursor.ackSetWords() * copies * Long.BYTES;
        }

        private long bytes() {
            return pending.heapBytes() + redelivery.heapBytes() + delayed.heapBytes() + copies * cursor.heapBytes();
        }
    }

    EntryMemory(MemoryBudget memory, Held held, DispatcherContext context) {
        this.memory = memory;
        this.held = held;
        this.context = context;
    }

    /** Whether the subscription may hold more entries than it does. */
    boolean hasRoom() {
        long entries = update();
        return entries <= ALWAYS_KEPT || !memory.isShort(Kind.ENTRIES);
    }

    /** The same for a dispatcher that reads on; if there is no room, it gets another turn in a second. */
    boolean mayReadOn() {
        if (hasRoom()) {
            return true;
        }
        if (!waiting) {
            waiting = true;
            memory.warn(Kind.ENTRIES);
            context.later(wake, LOOK_AGAIN);
        }
        return false;
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
        long step = Math.max(ALWAYS_KEPT * MIN_BYTES, countedRoughBytes / STEP_SHARE);
        if (Math.abs(roughBytes - countedRoughBytes) > step) {
            countedRoughBytes = roughBytes;
            hold(entries <= ALWAYS_KEPT ? 0 : held.bytes());
        }
        return entries;
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
