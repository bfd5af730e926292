package io.millrace.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.avro.AvroRuntimeException;
import io.millrace.avro.LogicalType;
import io.millrace.avro.LogicalTypes;
import io.millrace.avro.NameValidator;
import io.millrace.avro.Schema;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;

/**
 * Reads what was written with an Avro schema. Values are as people would write them in JSON: of a union, the value alone; bytes in Base64;
 * times in ISO form, decimals as numbers.
 */
final class AvroDecoder implements Decoder {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int DEEPEST = 500;

    private final Schema schema;

    private AvroDecoder(Schema schema) {
        this.schema = schema;
    }

    static AvroDecoder of(MessageSchema schema) throws IOException {
        return new AvroDecoder(parse(schema));
    }

    /** The definition, with whatever names and defaults the broker took. */
    static Schema parse(MessageSchema schema) throws IOException {
        try {
            return new Schema.Parser(NameValidator.NO_VALIDATION)
                    .setValidateDefaults(false)
                    .parse(schema.definition());
        } catch (AvroRuntimeException | StackOverflowError e) {
            throw new IOException("the definition is none of Avro: " + e.getMessage(), e);
        }
    }

    @Override
    public JsonNode decode(byte[] bytes) throws IOException {
        AvroBytes in = new AvroBytes(bytes);
        JsonNode value = read(schema, in, 0);
        if (in.remaining() > 0) {
            throw new IOException(in.remaining() + " bytes are left behind it");
        }
        return value;
    }

    private static JsonNode read(Schema schema, AvroBytes in, int depth) throws IOException {
        in.begin();
        if (depth > DEEPEST) {
            throw new IOException("its values lie more than " + DEEPEST + " deep within each other");
        }
        return switch (schema.getType()) {
            case RECORD -> record(schema, in, depth);
            case ARRAY -> array(schema.getElementType(), in, depth);
            case MAP -> map(schema.getValueType(), in, depth);
            case UNION ->
                read(schema.getTypes().get(in.readIndex(schema.getTypes().size())), in, depth + 1);
            case ENUM -> {
                int symbol = in.readIndex(schema.getEnumSymbols().size());
                yield NODES.textNode(schema.getEnumSymbols().get(symbol));
            }
            case NULL -> NODES.nullNode();
            case BOOLEAN -> NODES.booleanNode(in.readBoolean());
            case FLOAT -> NODES.numberNode(in.readFloat());
            case DOUBLE -> NODES.numberNode(in.readDouble());
            case STRING -> NODES.textNode(Primitives.text(in.readBytes()));
            case INT -> number(schema.getLogicalType(), in.readInt());
            case LONG -> number(schema.getLogicalType(), in.readLong());
            case BYTES -> bytes(schema.getLogicalType(), in.readBytes());
            case FIXED -> bytes(schema.getLogicalType(), in.readFixed(schema.getFixedSize()));
        };
    }

    private static ObjectNode record(Schema schema, AvroBytes in, int depth) throws IOException {
        ObjectNode fields = NODES.objectNode();
        for (Schema.Field field : schema.getFields()) {
            fields.set(field.name(), read(field.schema(), in, depth + 1));
        }
        return fields;
    }

    private static ArrayNode array(Schema items, AvroBytes in, int depth) throws IOException {
        ArrayNode array = NODES.arrayNode();
        for (long count = in.readBlock(); count != 0; count = in.readBlock()) {
            for (long i = 0; i < count; i++) {
                array.add(read(items, in, depth + 1));
            }
        }
        return array;
    }

    private static ObjectNode map(Schema values, AvroBytes in, int depth) throws IOException {
        ObjectNode map = NODES.objectNode();
        for (long count = in.readBlock(); count != 0; count = in.readBlock()) {
            for (long i = 0; i < count; i++) {
                String key = Primitives.text(in.readBytes());
                map.set(key, read(values, in, depth + 1));
            }
        }
        return map;
    }

    private static JsonNode number(LogicalType logical, long number) throws IOException {
        Object time;
        try {
            time = time(logical, number);
        } catch (DateTimeException | ArithmeticException e) {
            throw new IOException("there is no such time: " + number, e);
        }
        return time instanceof Long ? NODES.numberNode(number) : NODES.textNode(time.toString());
    }

    /** The time that a number stands for, or the number. */
    private static Object time(LogicalType logical, long number) {
        return switch (logical == null ? "" : logical.getName()) {
            case "date" -> LocalDate.ofEpochDay(number);
            case "time-millis" -> LocalTime.ofNanoOfDay(Math.multiplyExact(number, 1_000_000L));
            case "time-micros" -> LocalTime.ofNanoOfDay(Math.multiplyExact(number, 1_000L));
            case "timestamp-millis" -> Instant.EPOCH.plus(number, ChronoUnit.MILLIS);
            case "timestamp-micros" -> Instant.EPOCH.plus(number, ChronoUnit.MICROS);
            case "timestamp-nanos" -> Instant.EPOCH.plus(number, ChronoUnit.NANOS);
            default -> number;
        };
    }

    private static JsonNode bytes(LogicalType logical, byte[] bytes) {
        return logical instanceof LogicalTypes.Decimal decimal && bytes.length > 0
                ? DecimalNode.valueOf(new BigDecimal(new BigInteger(bytes), decimal.getScale()))
                : NODES.binaryNode(bytes);
    }
}
