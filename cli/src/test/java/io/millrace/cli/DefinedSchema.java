package io.millrace.cli;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.common.schema.SchemaInfo;
import org.apache.pulsar.common.schema.SchemaType;

/** A schema of whatever type and definition whose messages are bytes that a test has written itself: the client's own would need more of its jars. */
public record DefinedSchema(SchemaInfo info) implements Schema<byte[]> {
    public static DefinedSchema of(SchemaType type, String definition) {
        return of(type, definition.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    public static DefinedSchema of(SchemaType type, byte[] definition, Map<String, String> properties) {
        return new DefinedSchema(SchemaInfo.builder()
                .name("")
                .type(type)
                .schema(definition)
                .properties(properties)
                .build());
    }

    @Override
    public byte[] encode(byte[] message) {
        return message;
    }

    @Override
    public byte[] decode(byte[] bytes) {
        return bytes;
    }

    @Override
    public SchemaInfo getSchemaInfo() {
        return info;
    }

    @Override
    public Schema<byte[]> clone() {
        return this;
    }
}
