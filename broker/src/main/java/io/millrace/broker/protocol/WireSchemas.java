package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.SchemaType;
import io.millrace.broker.schema.StoredSchema;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.KeyValue;
import io.millrace.wire.Schema;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Schemas and their versions, as commands have them. */
final class WireSchemas {
    /** A consumer's own affair, by whose number the wire knows it. */
    private static final int AUTO_CONSUME = Schema.Type.AutoConsume.getValue();

    /** One of a registry of the client's, which the wire knows by another number than stored schemas. */
    private static final int EXTERNAL = Schema.Type.External.getValue();

    private static final byte[] NO_VERSION = {};

    private WireSchemas() {}

    /**
     * Reads a schema; what it holds is copied, as the command is used again.
     *
     * @throws BrokerException for a type that this broker does not have
     */
    static SchemaContent read(Schema schema) {
        int number = schema.getType().getValue();
        SchemaType type = type(number);
        if (type == null) {
            throw new BrokerException(
                    ErrorKind.INCOMPATIBLE_SCHEMA,
                    "Invalid schema: this broker does not have schemas of type " + schema.getType());
        }
        Map<String, String> properties = new TreeMap<>();
        for (KeyValue property : schema.getPropertiesList()) {
            properties.put(property.getKey(), property.getValue());
        }
        return new SchemaContent(type, schema.getSchemaData(), properties);
    }

    private static @Nullable SchemaType type(int number) {
        if (number == AUTO_CONSUME) {
            return SchemaType.AUTO_CONSUME;
        }
        return number == EXTERNAL ? SchemaType.EXTERNAL : SchemaType.ofNumber(number);
    }

    /** Fills the schema of an answer. */
    static void fill(Schema schema, TopicName topic, SchemaContent content) {
        TopicName whole = topic.whole();
        boolean isExternal = content.type() == SchemaType.EXTERNAL;
        Schema.Type type =
                Schema.Type.valueOf(isExternal ? EXTERNAL : content.type().number());
        schema.setName(whole.tenant()
                        + '/'
                        + whole.namespace()
                        + '/'
                        + URLEncoder.encode(whole.local(), StandardCharsets.UTF_8))
                .setType(type == null ? Schema.Type.None : type)
                .setSchemaData(content.data());
        content.properties()
                .forEach((key, value) -> schema.addProperty().setKey(key).setValue(value));
    }

    /** A version as clients know it: eight bytes, none for none. */
    static byte[] version(long number) {
        return number == StoredSchema.NO_VERSION
                ? NO_VERSION
                : ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    /**
     * Reads such a version.
     *
     * @throws BrokerException if it is none
     */
    static long version(byte[] bytes) {
        if (bytes.length != Long.BYTES) {
            throw new BrokerException(
                    ErrorKind.SCHEMA_NOT_FOUND,
                    "Schema not found: a version has " + Long.BYTES + " bytes, and this one has " + bytes.length);
        }
        return ByteBuffer.wrap(bytes).getLong();
    }
}
