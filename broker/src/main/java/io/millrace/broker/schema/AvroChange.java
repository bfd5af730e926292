package io.millrace.broker.schema;

import io.millrace.avro.Resolver.Action;
import io.millrace.avro.Resolver.Container;
import io.millrace.avro.Resolver.ErrorAction;
import io.millrace.avro.Resolver.ReaderUnion;
import io.millrace.avro.Resolver.RecordAdjust;
import io.millrace.avro.Resolver.WriterUnion;
import io.millrace.avro.Schema;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What keeps one schema from reading what another writes, for people: the field with the change, and what to do about it.
 */
record AvroChange(String change, String remedy) {
    /** A step of reading, and the path of the field that it reads. */
    private record Step(Action action, String path) {}

    /**
     * The first step of a reading that would fail; null if none would.
     *
     * @param newReads whether the new schema is the reader, rather than the writer
     */
    static @Nullable AvroChange find(Action reading, boolean newReads) {
        Set<Action> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Step> next = new ArrayDeque<>();
        next.push(new Step(reading, ""));
        while (!next.isEmpty()) {
            Step step = next.pop();
            if (!seen.add(step.action)) {
                continue;
            }
            if (step.action instanceof ErrorAction error) {
                return of(error, step.path, newReads);
            }
            addSteps(step, next);
        }
        return null;
    }

    private static void addSteps(Step step, Deque<Step> next) {
        if (step.action instanceof RecordAdjust record) {
            for (int i = 0; i < record.fieldActions.length; i++) {
                add(
                        record.fieldActions[i],
                        joined(step.path, record.writer.getFields().get(i)),
                        next);
            }
        } else if (step.action instanceof Container container) {
            add(container.elementAction, step.path, next);
        } else if (step.action instanceof ReaderUnion union) {
            add(union.actualAction, step.path, next);
        } else if (step.action instanceof WriterUnion union) {
            for (Action branch : union.actions) {
                add(branch, step.path, next);
            }
        }
    }

    /** Of a record within itself, a step is not there until it is known; another one leads to it. */
    private static void add(@Nullable Action action, String path, Deque<Step> next) {
        if (action != null) {
            next.push(new Step(action, path));
        }
    }

    private static String joined(String path, Schema.Field field) {
        return path.isEmpty() ? field.name() : path + "." + field.name();
    }

    private static AvroChange of(ErrorAction error, String path, boolean newReads) {
        String place = path.isEmpty() ? "the schema" : "field '" + path + "'";
        String before = name(newReads ? error.writer : error.reader);
        String after = name(newReads ? error.reader : error.writer);
        return switch (error.error) {
            case MISSING_REQUIRED_FIELD -> missing(error, path, newReads);
            case NAMES_DONT_MATCH ->
                new AvroChange(
                        place + " is named " + after + ", and was named " + before,
                        "keep the name, or say the old one in aliases");
            case SIZES_DONT_MATCH -> new AvroChange(place + " has another size", "keep the size of the fixed type");
            case INCOMPATIBLE_SCHEMA_TYPES, NO_MATCHING_BRANCH ->
                new AvroChange(
                        place + " is of type " + after + ", and was of type " + before,
                        "keep the type, or add a field of another name with a default");
        };
    }

    private static AvroChange missing(ErrorAction error, String path, boolean newReads) {
        Schema.Field missing = error.reader.getFields().stream()
                .filter(field -> error.writer.getField(field.name()) == null && !field.hasDefaultValue())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no field is missing in " + error));
        String place = "field '" + joined(path, missing) + "'";
        return newReads
                ? new AvroChange(place + " is new and has no default", "give it a default")
                : new AvroChange(
                        place + " is gone, and had no default", "keep it, or give it a default one version before");
    }

    private static String name(Schema schema) {
        return switch (schema.getType()) {
            case RECORD, ENUM, FIXED -> Refused.quoted(schema.getFullName());
            case UNION ->
                Refused.quoted(schema.getTypes().stream()
                        .map(AvroChange::name)
                        .toList()
                        .toString());
            default -> schema.getType().getName();
        };
    }
}
