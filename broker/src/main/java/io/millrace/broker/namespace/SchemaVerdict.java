package io.millrace.broker.namespace;

import io.millrace.broker.schema.Compatibility;

/**
 * Whether a topic would take a schema.
 *
 * @param strategy by which it was decided
 * @param isTakenFromClients whether clients may bring new schemas; otherwise they are set first
 * @param reason why it would not; empty if it would
 */
public record SchemaVerdict(boolean isCompatible, Compatibility strategy, boolean isTakenFromClients, String reason) {}
