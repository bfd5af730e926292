package io.millrace.cli.schema;

import io.millrace.avro.JsonProperties;
import io.millrace.avro.Schema;
import io.millrace.avro.Schema.Field;
import io.millrace.cli.schema.SchemaChange.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares two definitions of Avro, field by field. A record that is met again, within itself or elsewhere, is told once. */
final class AvroDiff {
    private final List<SchemaChange> changes;
    private final Set<String> seen = new HashSet<>();

    AvroDiff(List<SchemaChange> changes) {
        this.changes = changes;
    }

    void compare(String path, Schema before, Schema after) {
        if (before.getType() != after.getType()) {
            add(path, Kind.RETYPED, name(before), name(after));
            return;
        }
        switch (after.getType()) {
            case RECORD -> records(path, before, after);
            case ENUM -> enums(path, before, after);
            case ARRAY -> compare(path + "[]", before.getElementType(), after.getElementType());
            case MAP -> compare(path + "[]", before.getValueType(), after.getValueType());
            case UNION -> unions(path, before, after);
            case FIXED -> {
                named(path, before, after);
                addIfOther(path, Kind.RETYPED, before.getFixedSize() + " bytes", after.getFixedSize() + " bytes");
            }
            default -> {}
        }
        attributes(path, before, after);
    }

    private void records(String path, Schema before, Schema after) {
        if (!seen.add(before.getFullName() + ' ' + after.getFullName())) {
            return;
        }
        named(path, before, after);
        List<String> orderBefore = new ArrayList<>();
        List<String> orderAfter = new ArrayList<>();
        for (Field field : after.getFields()) {
            Field same = before.getField(field.name());
            String place = joined(path, field.name());
            if (same != null) {
                orderAfter.add(field.name());
                fields(place, same, field);
            } else {
                Field old = oldOf(field, before, after);
                if (old == null) {
                    add(place, Kind.ADDED, "", described(field));
                } else {
                    add(place, Kind.RENAMED, old.name(), field.name());
                    fields(place, old, field);
                }
            }
        }
        for (Field field : before.getFields()) {
            if (after.getField(field.name()) != null) {
                orderBefore.add(field.name());
            } else if (after.getFields().stream()
                    .noneMatch(each -> each.aliases().contains(field.name()))) {
                add(joined(path, field.name()), Kind.REMOVED, described(field), "");
            }
        }
        addIfOther(path, Kind.ORDER, String.join(", ", orderBefore), String.join(", ", orderAfter));
    }

    /** The field that a new one says it was. */
    private static @Nullable Field oldOf(Field field, Schema before, Schema after) {
        for (String alias : field.aliases()) {
            Field old = before.getField(alias);
            if (old != null && after.getField(alias) == null) {
                return old;
            }
        }
        return null;
    }

    private void fields(String path, Field before, Field after) {
        compare(path, before.schema(), after.schema());
        addIfOther(path, Kind.DEFAULT, defaultOf(before), defaultOf(after));
        addIfOther(path, Kind.ALIASES, listed(before.aliases()), listed(after.aliases()));
        attributes(path, before, after);
    }

    private void named(String path, Schema before, Schema after) {
        addIfOther(path, Kind.RENAMED, before.getFullName(), after.getFullName());
        addIfOther(path, Kind.ALIASES, listed(before.getAliases()), listed(after.getAliases()));
    }

    private void enums(String path, Schema before, Schema after) {
        named(path, before, after);
        addIfOther(
                path,
                Kind.SYMBOLS,
                String.join(", ", before.getEnumSymbols()),
                String.join(", ", after.getEnumSymbols()));
        addIfOther(
                path,
                Kind.DEFAULT,
                Objects.toString(before.getEnumDefault(), ""),
                Objects.toString(after.getEnumDefault(), ""));
    }

    private void unions(String path, Schema before, Schema after) {
        addIfOther(path, Kind.RETYPED, name(before), name(after));
        for (Schema branch : after.getTypes()) {
            before.getTypes().stream()
                    .filter(old -> old.getFullName().equals(branch.getFullName()))
                    .findFirst()
                    .ifPresent(old -> compare(path, old, branch));
        }
    }

    private void attributes(String path, JsonProperties before, JsonProperties after) {
        addIfOther(path, Kind.ATTRIBUTES, attributes(before), attributes(after));
    }

    private static String attributes(JsonProperties of) {
        Map<String, Object> sorted = new TreeMap<>(of.getObjectProps());
        return sorted.isEmpty() ? "" : sorted.toString();
    }

    private void addIfOther(String path, Kind kind, String before, String after) {
        if (!before.equals(after)) {
            add(path, kind, before, after);
        }
    }

    private void add(String path, Kind kind, String before, String after) {
        changes.add(new SchemaChange(path, kind, before, after));
    }

    private static String joined(String path, String field) {
        return path.isEmpty() ? field : path + '.' + field;
    }

    private static String described(Field field) {
        String shown = defaultOf(field);
        return shown.isEmpty() ? name(field.schema()) : name(field.schema()) + " = " + shown;
    }

    /** As it is written; empty if there is none. */
    private static String defaultOf(Field field) {
        if (!field.hasDefaultValue()) {
            return "";
        }
        return JsonProperties.NULL_VALUE.equals(field.defaultVal()) ? "null" : quoted(field.defaultVal());
    }

    private static String quoted(Object value) {
        return value instanceof String ? "\"" + value + '"' : String.valueOf(value);
    }

    private static String listed(Set<String> names) {
        return String.join(", ", new TreeSet<>(names));
    }

    /** A type as people say it. */
    private static String name(Schema schema) {
        return switch (schema.getType()) {
            case RECORD, ENUM, FIXED -> schema.getType().getName() + ' ' + schema.getFullName();
            case ARRAY -> "array of " + name(schema.getElementType());
            case MAP -> "map of " + name(schema.getValueType());
            case UNION ->
                String.join(
                        " | ", schema.getTypes().stream().map(AvroDiff::name).toList());
            default -> schema.getType().getName();
        };
    }
}
