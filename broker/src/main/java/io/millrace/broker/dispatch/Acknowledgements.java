package io.millrace.broker.dispatch;

import io.millrace.broker.dispatch.AckRequest.AckedPosition;
import io.millrace.broker.log.CursorDelta;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.TopicLog;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies acknowledgements to the live cursor, to pending acks and to the redelivery queue, and hands them to the
 * writer. Any consumer may acknowledge any entry; a repeated acknowledgement changes nothing, nor does one of an entry that
 * the topic does not have, as with Pulsar.
 */
final class Acknowledgements {
    private final TopicLog log;
    private final CursorState cursor;
    private final Held held;
    private final ForwardReader reader;
    private final CursorWriter writer;
    private final EntryMemory memory;

    Acknowledgements(TopicLog log, CursorState cursor, Held held, ForwardReader reader, Kept kept) {
        this.log = log;
        this.cursor = cursor;
        this.held = held;
        this.reader = reader;
        writer = kept.writer;
        memory = kept.memory;
    }

    /** Where entries are that were read and are not acknowledged. */
    record Held(PendingAcks pending, RedeliveryQueue redelivery, DelayedEntries delayed) {
        /** The entry is acknowledged, or gone. */
        void forget(Position position) {
            pending.remove(position.ledgerId(), position.entryId());
            redelivery.forget(position.ledgerId(), position.entryId());
            delayed.forget(position.ledgerId(), position.entryId());
        }

        boolean contains(Position position) {
            return pending.contains(position.ledgerId(), position.entryId())
                    || redelivery.contains(position.ledgerId(), position.entryId())
                    || delayed.contains(position.ledgerId(), position.entryId());
        }
    }

    /** Where acknowledgements are kept, and the memory that they take. */
    record Kept(CursorWriter writer, EntryMemory memory) {}

    /** Applies the valid part of the request; returns what is wrong with the rest, or null. */
    @Nullable
    BrokerException apply(AckRequest request, boolean cumulativeAllowed) {
        if (request.kind() == AckRequest.Kind.INDIVIDUAL) {
            return individual(request.positions());
        }
        BrokerException problem = null;
        for (AckedPosition acked : cumulativeAllowed ? request.positions() : List.<AckedPosition>of()) {
            BrokerException found = cumulative(acked);
            problem = found == null ? problem : found;
        }
        return problem;
    }

    private @Nullable BrokerException individual(List<AckedPosition> positions) {
        BrokerException problem = null;
        List<Position> whole = new ArrayList<>(positions.size());
        for (AckedPosition acked : positions) {
            Position position = acked.position();
            long[] ackSet = acked.ackSet();
            if (cursor.isAcked(position) || !isStored(position)) {
                continue;
            }
            if (isWhole(ackSet) && !held.contains(position) && !memory.hasRoomToAck(position)) {
                problem = memory.refusal();
            } else if (ackSet == null || ackSet.length == 0) {
                held.forget(position);
                whole.add(position);
            } else if (ackSet.length > 1 && ackSet.length > wordsOf(position)) {
                problem = tooLong(position, ackSet);
            } else if (cursor.isPartlyAcked(position) || isWhole(ackSet) || memory.hasRoom()) {
                partly(position, ackSet);
            } else {
                problem = memory.refusal();
            }
        }
        if (!whole.isEmpty()) {
            cursor.apply(new CursorDelta.AckEntries(whole));
            writer.acked(whole);
        }
        return problem;
    }

    private void partly(Position position, long[] ackSet) {
        cursor.apply(new CursorDelta.AckBatch(position, ackSet));
        if (cursor.isAcked(position)) {
            held.forget(position);
            writer.acked(List.of(position));
            return;
        }
        writer.ackedPartly(position);
        long packed = held.pending().find(position.ledgerId(), position.entryId());
        if (packed != PendingAcks.MISSING) {
            int left = unackedIn(cursor.ackSet(position), PendingAcks.remaining(packed));
            held.pending().updateRemaining(position.ledgerId(), position.entryId(), left);
        }
    }

    private @Nullable BrokerException cumulative(AckedPosition acked) {
        Position position = acked.position();
        if (position.compareTo(log.lastDurable()) > 0) {
            return null;
        }
        long[] ackSet = acked.ackSet();
        boolean whole = ackSet == null || ackSet.length == 0;
        Position upTo = whole ? position : position.before();
        skip(upTo);
        return whole ? null : individual(List.of(acked));
    }

    /** Acknowledges everything up to and with that position, which the log has. */
    void skip(Position upTo) {
        if (upTo.compareTo(cursor.markDelete()) > 0) {
            cursor.apply(new CursorDelta.AckUpTo(upTo));
            writer.ackedUpTo(upTo);
            held.pending().removeAllUpTo(upTo.ledgerId(), upTo.entryId(), (ledger, entry, slot, remaining, hash) -> {});
            held.redelivery().forgetUpTo(upTo.ledgerId(), upTo.entryId());
            held.delayed().forgetUpTo(upTo.ledgerId(), upTo.entryId());
            reader.skipTo(upTo);
        }
    }

    private boolean isStored(Position position) {
        return held.contains(position)
                || (position.entryId() >= 0
                        && position.entryId() <= log.lastEntryOf(position.ledgerId())
                        && position.compareTo(log.lastDurable()) <= 0);
    }

    /**
     * How many words an ack set of that entry may have; no limit if its batch is not in memory, for example while the
     * entry waits to be sent again.
     */
    private int wordsOf(Position position) {
        long packed = held.pending().find(position.ledgerId(), position.entryId());
        return packed != PendingAcks.MISSING && cursor.ackSet(position) == null
                ? words(PendingAcks.remaining(packed))
                : wordsOf(log, position);
    }

    /** The same, from the entry that the log has in memory. */
    static int wordsOf(TopicLog log, Position position) {
        Entry entry = log.cached(position);
        if (entry == null) {
            return Integer.MAX_VALUE;
        }
        int messages = entry.header().messageCount();
        entry.release();
        return words(messages);
    }

    private static int words(int messages) {
        return (messages + Long.SIZE - 1) / Long.SIZE;
    }

    static BrokerException tooLong(Position position, long[] ackSet) {
        return new BrokerException(
                ErrorKind.NOT_ALLOWED,
                "the ack set of " + position + " has " + ackSet.length
                        + " words, more than its batch has messages for");
    }

    private static boolean isWhole(long @Nullable [] ackSet) {
        return ackSet == null || BitSet.valueOf(ackSet).isEmpty();
    }

    /** How many of the first {@code count} messages an ack set leaves unacknowledged; null means all. */
    static int unackedIn(long @Nullable [] ackSet, int count) {
        return ackSet == null ? count : Math.min(count, BitSet.valueOf(ackSet).cardinality());
    }
}
