package io.millrace.broker.topic;

import io.millrace.broker.log.Position;

/** Where a subscription that does not exist yet begins. */
public sealed interface StartAt {
    /** At the first entry that is kept. */
    StartAt EARLIEST = new After(Position.BEFORE_ALL);

    /** After the last entry that is durable now. */
    StartAt LATEST = new Latest();

    /** At the first entry after this position. */
    record After(Position position) implements StartAt {
        /** The position, or the last one if it is beyond that: of a topic that was there before, under this name. */
        public Position within(Position last) {
            return position.isAfter(last) ? last : position;
        }
    }

    /** At the first entry published then or later. */
    record Time(long publishTimeMillis) implements StartAt {}

    /** After the last entry that is durable now. */
    record Latest() implements StartAt {}
}
