package io.millrace.streams.operator.bytes;

import io.millrace.streams.failure.CompressionException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Decompresses the format of zlib, or members of gzip one after the other. */
public final class InflateCodec implements ByteCodec {
    private static final int CHUNK_BYTES = 8192;
    private static final int TRAILER_BYTES = 8;
    /** Small inputs may be anything: what they expand to fits in memory. */
    private static final long FREE_BYTES = 1 << 20;

    private final boolean isGzip;
    private final int maxExpansion;
    private final Inflater inflater;
    private final CRC32 checksum = new CRC32();
    private State state;
    private GzipHeader header = new GzipHeader();
    private ByteBuffer in = ByteBuffer.allocate(0);
    private long readBytes;
    private int stepStart;
    private long madeBytes;
    private long memberBytes;
    private int trailerRead;
    private boolean isFinished;

    private enum State {
        /** Between members, or before the first byte. */
        START,
        HEADER,
        BODY,
        TRAILER,
        /** Behind the only body of zlib. */
        END
    }

    private InflateCodec(boolean isGzip, int maxExpansion) {
        this.isGzip = isGzip;
        this.maxExpansion = maxExpansion;
        inflater = new Inflater(isGzip);
        state = State.START;
    }

    /** Of the format of zlib. */
    public static InflateCodec zlib(int maxExpansion) {
        return new InflateCodec(false, maxExpansion);
    }

    /** Of the format of gzip. */
    public static InflateCodec gzip(int maxExpansion) {
        return new InflateCodec(true, maxExpansion);
    }

    @Override
    public void accept(ByteBuffer chunk) {
        in = chunk.duplicate();
    }

    @Override
    public void finish() {
        isFinished = true;
    }

    @Override
    public @Nullable ByteBuffer next() {
        while (in.hasRemaining() || state == State.BODY) {
            stepStart = in.position();
            ByteBuffer made = step();
            readBytes += in.position() - stepStart;
            if (made != null) {
                requireExpansion(made.remaining());
                return made;
            }
            if (state == State.BODY && !in.hasRemaining()) {
                break;
            }
        }
        if (isFinished && !mayEnd()) {
            throw new CompressionException(
                    "the input ended after " + readBytes + " bytes, before the end of what was compressed");
        }
        return null;
    }

    /** Gzip has any number of members, also none; zlib has one body. */
    private boolean mayEnd() {
        return state == State.END || (isGzip && state == State.START);
    }

    private @Nullable ByteBuffer step() {
        switch (state) {
            case START -> begin();
            case HEADER -> {
                if (header.read(in, readBytes)) {
                    state = State.BODY;
                }
            }
            case BODY -> {
                return body();
            }
            case TRAILER -> trailer();
            case END ->
                throw new CompressionException("byte " + readBytes + " comes after the end of what was compressed");
        }
        return null;
    }

    private void begin() {
        inflater.reset();
        checksum.reset();
        header = new GzipHeader();
        trailerRead = 0;
        memberBytes = 0;
        state = isGzip ? State.HEADER : State.BODY;
    }

    private @Nullable ByteBuffer body() {
        ByteBuffer out = ByteBuffer.allocate(CHUNK_BYTES);
        inflater.setInput(in);
        try {
            inflater.inflate(out);
        } catch (DataFormatException failure) {
            throw corrupt(failure.getMessage(), failure);
        }
        if (inflater.needsDictionary()) {
            throw corrupt("a dictionary is needed, which is not supported", null);
        }
        out.flip();
        checksum.update(out.duplicate());
        memberBytes += out.remaining();
        if (inflater.finished()) {
            state = isGzip ? State.TRAILER : State.END;
        }
        return out.hasRemaining() ? out.asReadOnlyBuffer() : null;
    }

    private void trailer() {
        while (trailerRead < TRAILER_BYTES && in.hasRemaining()) {
            long expected = trailerRead < Integer.BYTES ? checksum.getValue() : memberBytes;
            int value = in.get();
            if ((byte) (expected >>> (Byte.SIZE * (trailerRead % Integer.BYTES))) != (byte) value) {
                throw corrupt(trailerRead < Integer.BYTES ? "the checksum is wrong" : "the length is wrong", null);
            }
            trailerRead++;
        }
        if (trailerRead == TRAILER_BYTES) {
            state = State.START;
        }
    }

    private CompressionException corrupt(@Nullable String what, @Nullable Throwable cause) {
        return new CompressionException(
                "the compressed bytes are corrupt before byte " + (readBytes + in.position() - stepStart) + ": "
                        + (what == null ? "no reason is known" : what),
                cause);
    }

    private void requireExpansion(int added) {
        madeBytes += added;
        if (madeBytes > FREE_BYTES && madeBytes / maxExpansion > readBytes) {
            throw new CompressionException(madeBytes + " bytes were made of " + readBytes
                    + " compressed ones: more than " + maxExpansion + " to 1");
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
