package io.millrace.broker.topic;

import io.millrace.broker.log.Position;

/**
 * The last durable entry of a topic.
 *
 * @param position where it is; {@link Position#BEFORE_ALL} in a topic that keeps no entry
 * @param batchIndex the index of the last message in its batch; -1 if the entry is no batch, and if there is none
 */
public record LastMessage(Position position, int batchIndex) {
    /** Of a topic that keeps no entry: it never had one, or all are acknowledged and deleted. */
    static final LastMessage NONE = new LastMessage(Position.BEFORE_ALL, -1);
}
