package io.millrace.broker.schema;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import org.jspecify.annotations.Nullable;

/** The types of schemas that Pulsar has, by their names and their numbers. */
public enum SchemaType {
    NONE(0),
    STRING(1),
    JSON(2),
    PROTOBUF(3),
    AVRO(4),
    BOOLEAN(5),
    INT8(6),
    INT16(7),
    INT32(8),
    INT64(9),
    FLOAT(10),
    DOUBLE(11),
    DATE(12),
    TIME(13),
    TIMESTAMP(14),
    KEY_VALUE(15),
    INSTANT(16),
    LOCAL_DATE(17),
    LOCAL_TIME(18),
    LOCAL_DATE_TIME(19),
    PROTOBUF_NATIVE(20),
    /** Of a registry of the client's: what it holds is known to that alone. */
    EXTERNAL(21),
    BYTES(-1),
    AUTO(-2),
    AUTO_CONSUME(-3),
    AUTO_PUBLISH(-4);

    private final int number;

    SchemaType(int number) {
        this.number = number;
    }

    /** Its number in stored schemas. */
    public int number() {
        return number;
    }

    /** The type of that number; null if there is none. */
    public static @Nullable SchemaType ofNumber(int number) {
        for (SchemaType type : values()) {
            if (type.number == number) {
                return type;
            }
        }
        return null;
    }

    /**
     * The type of that name, as tools write it.
     *
     * @throws BrokerException if there is none
     */
    public static SchemaType ofName(String name) {
        for (SchemaType type : values()) {
            if (type.name().equalsIgnoreCase(name)) {
                return type;
            }
        }
        throw new BrokerException(ErrorKind.INVALID_SCHEMA, "Invalid schema: there is no schema type '" + name + "'");
    }

    /** Whether a topic may have a schema of it: the others say that there is none, or are a client's own affair. */
    public boolean isStored() {
        return number > 0;
    }

    /** Whether its definition is one of Avro. */
    public boolean isOfAvro() {
        return this == AVRO || this == JSON || this == PROTOBUF;
    }
}
