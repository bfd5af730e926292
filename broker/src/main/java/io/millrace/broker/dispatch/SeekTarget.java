package io.millrace.broker.dispatch;

import io.millrace.broker.log.Position;
import org.jspecify.annotations.Nullable;

/** Where a subscription is moved to. */
public sealed interface SeekTarget {
    /** The first entry kept. */
    Position EARLIEST = Position.BEFORE_ALL;

    /** After the last durable entry. */
    Position LATEST = new Position(Long.MAX_VALUE, Long.MAX_VALUE);

    /**
     * The entry at the position, or the first after it, is the next one delivered.
     *
     * @param ackSet set bits are the messages of that batch that are still wanted; null for the whole entry
     */
    @SuppressWarnings("ArrayRecordComponent")
    record ToPosition(Position position, long @Nullable [] ackSet) implements SeekTarget {
        /** A whole entry, {@link #EARLIEST} or {@link #LATEST}. */
        public static ToPosition of(Position position) {
            return new ToPosition(position, null);
        }
    }

    /** The first entry that was published then or later is the next one delivered. */
    record ToTime(long publishTimeMillis) implements SeekTarget {}
}
