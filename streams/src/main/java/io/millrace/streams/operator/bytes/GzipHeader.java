package io.millrace.streams.operator.bytes;

import io.millrace.streams.failure.CompressionException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Reads past the header of a gzip member (RFC 1952, 2.3), which may come in any number of pieces. */
final class GzipHeader {
    private static final int FIXED_BYTES = 10;
    private static final int HEADER_SUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int KNOWN_FLAGS = 31;

    private final CRC32 sum = new CRC32();
    private Part part = Part.FIXED;
    private int inPart;
    private int flags;
    private int number;

    private enum Part {
        FIXED,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        SUM,
        END
    }

    /** Takes the header's bytes from the buffer; whether it is complete. */
    boolean read(ByteBuffer in, long offset) {
        int start = in.position();
        while (part != Part.END && in.hasRemaining()) {
            long at = offset + in.position() - start;
            take(in.get() & 0xFF, at);
        }
        return part == Part.END;
    }

    private void take(int value, long at) {
        if (part != Part.SUM) {
            sum.update(value);
        }
        inPart++;
        switch (part) {
            case FIXED -> takeFixed(value, at);
            case EXTRA_LENGTH -> {
                number |= value << (Byte.SIZE * (inPart - 1));
                if (inPart == 2) {
                    enter(number == 0 ? after(Part.EXTRA) : Part.EXTRA);
                }
            }
            case EXTRA -> {
                if (inPart == number) {
                    enter(after(Part.EXTRA));
                }
            }
            case NAME, COMMENT -> {
                if (value == 0) {
                    enter(after(part));
                }
            }
            case SUM -> takeSum(value, at);
            case END -> throw new IllegalStateException("the header has ended");
        }
    }

    private void takeFixed(int value, long at) {
        boolean isWrong = switch (inPart) {
            case 1 -> value != 0x1f;
            case 2 -> value != 0x8b;
            case 3 -> value != 8;
            case 4 -> (value & ~KNOWN_FLAGS) != 0;
            default -> false;
        };
        if (isWrong) {
            throw new CompressionException(String.format(
                    "byte %d is 0x%02X, which no header of gzip has at its byte %d", at, value, inPart - 1));
        }
        if (inPart == 4) {
            flags = value;
        }
        if (inPart == FIXED_BYTES) {
            enter((flags & EXTRA) != 0 ? Part.EXTRA_LENGTH : after(Part.EXTRA));
        }
    }

    private void takeSum(int value, long at) {
        if (value != (((int) sum.getValue() >> (Byte.SIZE * (inPart - 1))) & 0xFF)) {
            throw new CompressionException("the checksum of the gzip header is wrong at byte " + at);
        }
        if (inPart == 2) {
            enter(Part.END);
        }
    }

    private Part after(Part done) {
        if (done.compareTo(Part.NAME) < 0 && (flags & NAME) != 0) {
            return Part.NAME;
        }
        if (done.compareTo(Part.COMMENT) < 0 && (flags & COMMENT) != 0) {
            return Part.COMMENT;
        }
        return (flags & HEADER_SUM) != 0 ? Part.SUM : Part.END;
    }

    private void enter(Part next) {
        part = next;
        inPart = 0;
    }
}
