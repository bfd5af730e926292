package io.millrace.broker.schema;

import io.millrace.avro.Schema;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * What bounds the work of comparing a schema of Avro with another: branches of unions are compared each with each, and so
 * are symbols of enums.
 */
record SchemaWeight(long branches, long symbols) {
    private static final int MAX_LEVELS = 400;
    private static final long MAX_BRANCH_PAIRS = 4_000_000;
    private static final long MAX_SYMBOL_PAIRS = 100_000_000;
    /** Symbols of enums, as often as their enum is referred to: they are gone through, and may be copied, each time. */
    private static final long MAX_SYMBOL_USES = 1_000_000;

    private record Level(Schema schema, int depth) {}

    /** Weighs a schema; one whose types lie too deep within each other is refused, because comparing recurses. */
    static SchemaWeight of(SchemaType type, Schema root) {
        Set<Schema> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Level> next = new ArrayDeque<>();
        next.push(new Level(root, 1));
        long branches = 0;
        long symbols = 0;
        long symbolUses = 0;
        while (!next.isEmpty()) {
            Level level = next.pop();
            symbolUses += symbols(level.schema);
            if (symbolUses > MAX_SYMBOL_USES) {
                throw Refused.invalid(type, "its enums are too large to be referred to that often");
            }
            if (!seen.add(level.schema)) {
                continue;
            }
            if (level.depth > MAX_LEVELS) {
                throw Refused.invalid(type, "its types lie more than " + MAX_LEVELS + " deep within each other");
            }
            branches += level.schema.isUnion() ? level.schema.getTypes().size() : 0;
            symbols += symbols(level.schema);
            parts(level.schema).forEach(part -> next.push(new Level(part, level.depth + 1)));
        }
        return new SchemaWeight(branches, symbols);
    }

    private static int symbols(Schema schema) {
        return schema.getType() == Schema.Type.ENUM ? schema.getEnumSymbols().size() : 0;
    }

    private static List<Schema> parts(Schema schema) {
        return switch (schema.getType()) {
            case RECORD -> schema.getFields().stream().map(Schema.Field::schema).toList();
            case UNION -> schema.getTypes();
            case ARRAY -> List.of(schema.getElementType());
            case MAP -> List.of(schema.getValueType());
            default -> List.of();
        };
    }

    /** Refuses to compare what would take many seconds. */
    void requireComparable(SchemaWeight other) {
        if (branches * other.branches > MAX_BRANCH_PAIRS) {
            throw Refused.incompatible("unions of " + branches + " and " + other.branches
                    + " types together are too many to be compared: use fewer");
        }
        if (symbols * other.symbols > MAX_SYMBOL_PAIRS) {
            throw Refused.incompatible("enums of " + symbols + " and " + other.symbols
                    + " symbols together are too many to be compared: use fewer");
        }
    }
}
