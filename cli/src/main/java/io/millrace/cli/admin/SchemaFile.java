package io.millrace.cli.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A schema in a file: its definition alone, or with type and properties around it as Pulsar's tools write it. */
final class SchemaFile {
    private static final String TYPE = "type";
    private static final String SCHEMA = "schema";

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description =
                    "AVRO, JSON, PROTOBUF_NATIVE, STRING, INT32 and others of Pulsar's (default: what the file says, or AVRO).")
    private @Nullable String type;

    /** What the API takes for the file. */
    ObjectNode payload(Path file) {
        String text = text(file);
        JsonNode whole = tree(text);
        ObjectNode payload = AdminClient.JSON.createObjectNode();
        if (whole != null && whole.path(TYPE).isTextual() && whole.has(SCHEMA)) {
            payload.set(TYPE, whole.get(TYPE));
            JsonNode schema = whole.get(SCHEMA);
            payload.put(SCHEMA, schema.isTextual() ? schema.textValue() : schema.toString());
            payload.set(
                    "properties", whole.path("properties").isObject() ? whole.get("properties") : payload.objectNode());
        } else {
            payload.put(TYPE, "AVRO").put(SCHEMA, text.isBlank() ? "" : text);
            payload.putObject("properties");
        }
        if (type != null) {
            payload.put(TYPE, type.toUpperCase(Locale.ROOT));
        }
        return payload;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new CommandFailure(ExitCode.USAGE, "cannot read " + file + ": it must be UTF-8", e);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.USAGE, "cannot read " + file + ": " + CommandFailure.reason(e), e);
        }
    }

    /** Null of what is no JSON: whether it may be a definition, the broker says. */
    static @Nullable JsonNode tree(String text) {
        try {
            return AdminClient.JSON.readTree(text);
        } catch (JsonProcessingException noJson) {
            return null;
        }
    }
}
