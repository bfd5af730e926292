package io.millrace.broker.log;

import java.util.List;

/** One durable step of a cursor; applying the same steps in the same order again gives the same state. */
public sealed interface CursorDelta {
    /** These entries are acknowledged, each alone. */
    record AckEntries(List<Position> positions) implements CursorDelta {
        public AckEntries {
            positions = List.copyOf(positions);
        }
    }

    /** Everything up to and including this entry is acknowledged. */
    record AckUpTo(Position inclusive) implements CursorDelta {}

    /**
     * Part of a batch is acknowledged: set bits of {@code ackSet} are messages that are not; it is AND-merged with what
     * is known, and the entry counts as acknowledged when no bit is left. The array is not copied.
     */
    @SuppressWarnings("ArrayRecordComponent")
    record AckBatch(Position position, long[] ackSet) implements CursorDelta {}

    /** The cursor starts again after this position: a seek. */
    record Reset(Position markDelete) implements CursorDelta {}
}
