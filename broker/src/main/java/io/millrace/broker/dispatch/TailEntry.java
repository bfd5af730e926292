package io.millrace.broker.dispatch;

import io.millrace.broker.log.Position;

/**
 * A newly durable entry, as the tail hub announces it: its position and that of the entry before it. It is contiguous
 * with what was read if and only if {@code previous} is before the next position to read.
 */
public record TailEntry(Position position, Position previous) {}
