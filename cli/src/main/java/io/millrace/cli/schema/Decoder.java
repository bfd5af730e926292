package io.millrace.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** Reads the bytes of one schema. */
interface Decoder {
    /**
     * What the bytes say.
     *
     * @throws IOException that says why they are not of this schema
     */
    JsonNode decode(byte[] bytes) throws IOException;

    /** That of a schema, whose definition is read here. */
    static Decoder of(MessageSchema schema) throws IOException {
        return switch (schema.type()) {
            case "AVRO" -> AvroDecoder.of(schema);
            case "JSON" -> Json::read;
            case "BYTES", "NONE" -> Primitives::bytes;
            case "PROTOBUF", "PROTOBUF_NATIVE" ->
                throw new IOException("messages of type " + schema.type() + " are not decoded here");
            default -> Primitives.of(schema.type());
        };
    }
}
