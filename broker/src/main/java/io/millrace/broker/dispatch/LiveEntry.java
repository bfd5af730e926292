package io.millrace.broker.dispatch;

import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.Position;

/**
 * An entry of a topic that stores nothing, on its way to whoever is there.
 *
 * @param data what the client sent after the command; never changed, as all subscriptions share it
 */
@SuppressWarnings("ArrayRecordComponent")
public record LiveEntry(Position position, EntryHeader header, byte[] data) {}
