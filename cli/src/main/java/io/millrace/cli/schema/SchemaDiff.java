package io.millrace.cli.schema;

import io.millrace.cli.schema.SchemaChange.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What differs between two schemas, in the order of the second. */
public final class SchemaDiff {
    private SchemaDiff() {}

    /**
     * The differences; none if both mean the same.
     *
     * @throws IOException if one has a definition that is none of its type
     */
    public static List<SchemaChange> between(MessageSchema before, MessageSchema after) throws IOException {
        List<SchemaChange> changes = new ArrayList<>();
        add(changes, "", before, after);
        return changes;
    }

    private static void add(List<SchemaChange> changes, String path, MessageSchema before, MessageSchema after)
            throws IOException {
        if (!before.type().equals(after.type())) {
            changes.add(new SchemaChange(path, Kind.RETYPED, before.type(), after.type()));
        } else if (before.parts() != null && after.parts() != null) {
            if (before.parts().isSeparated() != after.parts().isSeparated()) {
                changes.add(
                        new SchemaChange("encoding", Kind.RETYPED, encoding(before.parts()), encoding(after.parts())));
            }
            add(changes, "key", before.parts().key(), after.parts().key());
            add(changes, "value", before.parts().value(), after.parts().value());
        } else if (before.isOfAvro()) {
            new AvroDiff(changes).compare(path, AvroDecoder.parse(before), AvroDecoder.parse(after));
        } else if (!before.definition().equals(after.definition())) {
            changes.add(new SchemaChange(path, Kind.DEFINITION, size(before.definition()), size(after.definition())));
        }
    }

    private static String encoding(MessageSchema.KeyValue parts) {
        return parts.isSeparated() ? "SEPARATED" : "INLINE";
    }

    private static String size(String definition) {
        return definition.length() + " characters";
    }
}
