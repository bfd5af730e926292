package io.millrace.broker.dispatch;

import io.millrace.broker.log.Position;

/** How far messages are acknowledged that no consumer has acknowledged. */
public sealed interface SkipTarget {
    /** Everything that is durable now. */
    SkipTarget ALL = new UpTo(SeekTarget.LATEST);

    /** Everything up to and with that position, or the last there is. */
    record UpTo(Position position) implements SkipTarget {}

    /** The same as they have expired. */
    record Expired(Position upTo) implements SkipTarget {}

    /** So many entries that are not acknowledged, or those that there are. */
    record Entries(long count) implements SkipTarget {}
}
