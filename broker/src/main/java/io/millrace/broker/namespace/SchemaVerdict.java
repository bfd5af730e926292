package io.millrace.broker.namespace;

import io.millrace.broker.schema.Compatibility;

/**
 * Whether a topic would take a schema.
 *
 * @param strategy by which it was decided
 * @param reason why it would not; empty if it would
 */
public record SchemaVerdict(boolean isCompatible, Compatibility strategy, String reason) {}
