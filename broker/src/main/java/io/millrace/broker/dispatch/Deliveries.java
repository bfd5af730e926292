package io.millrace.broker.dispatch;

import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.Position;
import org.jspecify.annotations.Nullable;

/**
 * Sends entries while somebody takes them: first those that wait to be sent again, then what is read on. Permits are
 * charged only for an entry that pending acks hold, and that leaves in the same step.
 */
final class Deliveries {
    private static final int MAX_PER_TURN = 256;

    private final Consumers consumers;
    private final PendingAcks pending;
    private final RedeliveryQueue redelivery;
    private final CursorState cursor;
    private final Reading reading;
    private final int maxUnacked;
    private boolean blocked;

    /** Where entries come from. */
    record Reading(LogReader forward, RedeliveryReader again, TailTap tail) {}

    Deliveries(Consumers consumers, Acknowledgements.Held held, CursorState cursor, Reading reading, int maxUnacked) {
        this.consumers = consumers;
        this.pending = held.pending();
        this.redelivery = held.redelivery();
        this.cursor = cursor;
        this.reading = reading;
        this.maxUnacked = maxUnacked;
    }

    /** Sends what it can; true if it stopped only to keep the turn short. */
    boolean turn(Selector selector) {
        int sent = 0;
        boolean more = false;
        updateBlocked();
        while (selector.anyReady()) {
            if (sent == MAX_PER_TURN) {
                more = true;
                break;
            }
            Entry entry = redelivery.isEmpty() ? forward(selector) : reading.again.poll(selector);
            if (entry == null) {
                more = redelivery.isEmpty() && !blocked && reading.forward.standing() == LogReader.Standing.MORE;
                break;
            }
            send(entry, selector.take(entry.header()));
            sent++;
        }
        reading.again.dropStale();
        reading.tail.idle();
        consumers.flush();
        return more;
    }

    /** Whether the subscription holds too many unacknowledged messages: from the limit on until half of it. */
    private void updateBlocked() {
        blocked = blocked && pending.unacked() > maxUnacked / 2;
    }

    private @Nullable Entry forward(Selector selector) {
        if (blocked) {
            return null;
        }
        Entry entry = reading.forward.poll(selector);
        while (entry == null && reading.forward.standing() == LogReader.Standing.AT_END && reading.tail.refreshEnd()) {
            entry = reading.forward.poll(selector);
        }
        if (entry == null && reading.forward.standing() == LogReader.Standing.AT_END) {
            reading.tail.join();
        }
        return entry;
    }

    private void send(Entry entry, Consumer consumer) {
        Position position = entry.position();
        long ledger = position.ledgerId();
        long id = position.entryId();
        EntryHeader header = entry.header();
        long[] ackSet = cursor.ackSet(position);
        int messages = Math.max(1, Math.min(header.messageCount(), PendingAcks.FIELD_LIMIT));
        int unacked = Acknowledgements.unackedIn(ackSet, messages);
        redelivery.sent(ledger, id);
        if (!pending.add(ledger, id, consumer.slot, unacked, header.stickyKeyHash())) {
            entry.release();
            throw new IllegalStateException(position + " was about to be sent while it is pending");
        }
        consumer.charge(unacked);
        blocked |= maxUnacked > 0 && pending.unacked() >= maxUnacked;
        consumers.delivered(consumer.link);
        consumer.link.deliver(entry, redelivery.countOf(ledger, id), ackSet);
    }
}
