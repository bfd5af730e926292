package io.millrace.broker.schema;

/**
 * A version of a topic's schema.
 *
 * @param version counted from 0 for each topic
 * @param timestampMillis when it came, since the epoch
 */
public record StoredSchema(long version, long timestampMillis, SchemaContent content) {
    /** What stands for the version of a topic, or of a client, without a schema. */
    public static final long NO_VERSION = -1;
}
