package io.millrace.broker.schema;

import io.millrace.avro.AvroTypeException;
import io.millrace.avro.Schema;
import io.millrace.avro.Schema.Field;
import io.millrace.avro.generic.GenericData;
import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.avro.util.internal.Accessor;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether defaults are of their types, where Avro would make the values: a default leaves out fields that have
 * defaults themselves, so that a small one may stand for a value without end. For one comparison.
 */
final class CheckedDefaults extends GenericData {
    private static final long MAX_LOOKS = 10_000_000;
    private static final int MAX_DEPTH = 400;

    /** The defaults that were found to be of a record. */
    private final IdentityHashMap<Schema, Set<JsonNode>> checked = new IdentityHashMap<>();

    private long looks;

    @Override
    public Object getDefaultValue(Field field) {
        JsonNode value = Accessor.defaultValue(field);
        check(field.schema(), value, 0);
        return value;
    }

    @Override
    public Object createEnum(String symbol, Schema schema) {
        return symbol;
    }

    private void check(Schema schema, @Nullable JsonNode value, int depth) {
        looks++;
        if (looks > MAX_LOOKS || depth > MAX_DEPTH) {
            throw Refused.incompatible("defaults stand for too much to be compared: make them smaller");
        }
        if (value == null) {
            throw new AvroTypeException("no default for a field of " + schema.getName());
        }
        switch (schema.getType()) {
            case RECORD -> checkRecord(schema, value, depth);
            case ARRAY -> value.forEach(element -> check(schema.getElementType(), element, depth + 1));
            case MAP -> value.forEach(element -> check(schema.getValueType(), element, depth + 1));
            case UNION -> check(branch(schema, value), value, depth + 1);
            case ENUM -> require(value.isTextual() && schema.hasEnumSymbol(value.textValue()), schema, value);
            default -> require(isAbout(schema.getType(), value), schema, value);
        }
    }

    private void checkRecord(Schema schema, JsonNode value, int depth) {
        Set<JsonNode> done =
                checked.computeIfAbsent(schema, unused -> Collections.newSetFromMap(new IdentityHashMap<>()));
        if (done.contains(value)) {
            return;
        }
        for (Field field : schema.getFields()) {
            JsonNode given = value.get(field.name());
            check(field.schema(), given == null ? Accessor.defaultValue(field) : given, depth + 1);
        }
        done.add(value);
    }

    private Schema branch(Schema union, JsonNode value) {
        for (Schema branch : union.getTypes()) {
            looks++;
            if (isAbout(branch.getType(), value)) {
                return branch;
            }
        }
        throw new AvroTypeException("no branch of a union takes the default " + Refused.quoted(value.toString()));
    }

    /** Whether the value is of that kind, whatever is in it. */
    private static boolean isAbout(Schema.Type type, JsonNode value) {
        return switch (type) {
            case RECORD, MAP -> value.isObject();
            case ARRAY -> value.isArray();
            case ENUM, STRING, BYTES, FIXED -> value.isTextual();
            case INT, LONG, FLOAT, DOUBLE -> value.isNumber();
            case BOOLEAN -> value.isBoolean();
            case NULL -> value.isNull();
            case UNION -> false;
        };
    }

    private static void require(boolean holds, Schema schema, JsonNode value) {
        if (!holds) {
            throw new AvroTypeException(
                    "the default " + Refused.quoted(value.toString()) + " is not of type " + schema.getName());
        }
    }
}
