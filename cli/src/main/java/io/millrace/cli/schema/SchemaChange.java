package io.millrace.cli.schema;

/**
 * One difference between two schemas.
 *
 * @param field its path from the outermost record: {@code address.street}, {@code items[]} for the elements of an array or a map;
 *     empty for the schema as a whole
 * @param before what it was; empty if there was nothing
 * @param after what it is; empty if there is nothing
 */
public record SchemaChange(String field, Kind kind, String before, String after) {
    /** What is different. */
    public enum Kind {
        ADDED,
        REMOVED,
        RENAMED,
        RETYPED,
        DEFAULT,
        ALIASES,
        SYMBOLS,
        ORDER,
        ATTRIBUTES,
        DEFINITION
    }
}
