package io.millrace.broker.schema;

import java.util.Arrays;

/**
 * The fields of a Protobuf message that have a length, one after the other, where they lie in an array; others are passed
 * over. Bytes that are no message are an IllegalArgumentException. For one thread.
 */
final class ProtobufFields {
    private static final int WIRE_BITS = 3;
    private static final int WIRE_MASK = (1 << WIRE_BITS) - 1;

    private final byte[] bytes;
    private final int end;
    private int next;
    private int number;
    private int start;

    ProtobufFields(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private ProtobufFields(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.next = start;
        this.end = end;
    }

    /** Goes to the next field; false if there is none. */
    boolean advance() {
        while (next < end) {
            long tag = varint();
            switch ((int) tag & WIRE_MASK) {
                case 0 -> varint();
                case 1 -> skip(Long.BYTES);
                case 2 -> {
                    long length = varint();
                    start = next;
                    skip(length);
                    number = (int) (tag >>> WIRE_BITS);
                    return true;
                }
                case 5 -> skip(Integer.BYTES);
                default -> throw new IllegalArgumentException("its descriptors are not of Protobuf");
            }
        }
        return false;
    }

    /** The number of the field. */
    int number() {
        return number;
    }

    /** The fields of the field, which is a message itself. */
    ProtobufFields inner() {
        return new ProtobufFields(bytes, start, next);
    }

    /** The bytes of the field. */
    int length() {
        return next - start;
    }

    /** Whether the field is what the text has from a place on, which may be its end. */
    boolean isIn(byte[] text, int from) {
        int to = from + length();
        return to <= text.length && Arrays.equals(bytes, start, next, text, from, to);
    }

    private void skip(long count) {
        if (count < 0 || count > end - next) {
            throw new IllegalArgumentException("its descriptors are cut short");
        }
        next += (int) count;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (next == end) {
                throw new IllegalArgumentException("its descriptors are cut short");
            }
            byte part = bytes[next++];
            value |= (long) (part & 0x7f) << shift;
            if (part >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number in its descriptors does not end");
    }
}
