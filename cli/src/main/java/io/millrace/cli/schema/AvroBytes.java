package io.millrace.cli.schema;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Avro's binary encoding. What does not fit into the bytes that there are is refused before room is made for it. */
final class AvroBytes {
    private static final int LONGEST_VARINT = 10;
    /** Values that take no bytes, such as nulls, are bounded by this. */
    private static final int MOST_EMPTY = 100_000;

    private final ByteBuffer left;
    private int values;

    AvroBytes(byte[] bytes) {
        left = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        values = bytes.length + MOST_EMPTY;
    }

    /** Counts a value that is read. */
    void begin() throws IOException {
        if (values-- == 0) {
            throw new IOException("it says that it has more values than so few bytes have");
        }
    }

    long readLong() throws IOException {
        long raw = 0;
        for (int i = 0; i < LONGEST_VARINT; i++) {
            byte next = take(1).get();
            raw |= (next & 0x7FL) << (7 * i);
            if (next >= 0) {
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw new IOException("a number in it does not end");
    }

    int readInt() throws IOException {
        long number = readLong();
        if (number != (int) number) {
            throw new IOException("a number in it is beyond 32 bits: " + number);
        }
        return (int) number;
    }

    boolean readBoolean() throws IOException {
        return take(1).get() != 0;
    }

    float readFloat() throws IOException {
        return take(Float.BYTES).getFloat();
    }

    double readDouble() throws IOException {
        return take(Double.BYTES).getDouble();
    }

    byte[] readBytes() throws IOException {
        return readFixed(readLong());
    }

    byte[] readFixed(long length) throws IOException {
        ByteBuffer from = take(length);
        byte[] bytes = new byte[(int) length];
        from.get(bytes);
        return bytes;
    }

    /** One of so many choices. */
    int readIndex(int count) throws IOException {
        long index = readLong();
        if (index < 0 || index >= count) {
            throw new IOException("it has choice " + index + " of " + count);
        }
        return (int) index;
    }

    /** How many items the next block of an array or a map has; 0 behind the last. */
    long readBlock() throws IOException {
        long count = readLong();
        if (count >= 0) {
            return count;
        }
        long unusedBytes = readLong();
        return -count;
    }

    int remaining() {
        return left.remaining();
    }

    private ByteBuffer take(long length) throws IOException {
        if (length < 0 || length > left.remaining()) {
            throw new IOException("it ends too early");
        }
        return left;
    }
}
