package io.millrace.broker.topic;

import io.millrace.broker.log.Position;

/**
 * The last durable entry of a topic.
 *
 * @param position where it is; {@link Position#BEFORE_ALL} in an empty topic
 * @param batchIndex the index of the last message in its batch; -1 if the entry is no batch, and in an empty topic
 */
public record LastMessage(Position position, int batchIndex) {}
