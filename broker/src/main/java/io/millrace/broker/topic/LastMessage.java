package io.millrace.broker.topic;

import io.millrace.broker.log.Position;

/**
 * The last durable entry of a topic.
 *
 * @param position where it is; {@link Position#BEFORE_ALL} in an empty topic
 * @param messageCount how many messages it holds; 0 in an empty topic
 */
public record LastMessage(Position position, int messageCount) {}
