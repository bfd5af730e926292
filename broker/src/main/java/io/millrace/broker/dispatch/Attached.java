package io.millrace.broker.dispatch;

import io.millrace.broker.log.Position;

/**
 * A consumer was admitted.
 *
 * @param markDelete everything up to and with this position is acknowledged
 */
public record Attached(Position markDelete) {}
