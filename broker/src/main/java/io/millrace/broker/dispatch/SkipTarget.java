package io.millrace.broker.dispatch;

import io.millrace.broker.log.Position;

/** How far an administrator skips. */
public sealed interface SkipTarget {
    /** Everything that is durable now. */
    SkipTarget ALL = new UpTo(SeekTarget.LATEST);

    /** Everything up to and with that position, or the last there is. */
    record UpTo(Position position) implements SkipTarget {}

    /** So many entries that are not acknowledged, or those that there are. */
    record Entries(long count) implements SkipTarget {}
}
