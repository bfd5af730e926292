package io.millrace.streams.operator.bytes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/** Compresses to the format of zlib or of gzip. */
public final class DeflateCodec implements ByteCodec {
    private static final int CHUNK_BYTES = 8192;
    private static final int TRAILER_BYTES = 8;
    /** Magic number, deflate, no flags, no time, no hints, unknown system (RFC 1952, 2.3). */
    private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private final Deflater deflater;
    private final @Nullable CRC32 checksum;
    private ByteBuffer out = ByteBuffer.allocate(CHUNK_BYTES);
    private boolean isTrailerDue;

    private DeflateCodec(@Nullable CRC32 checksum) {
        this.checksum = checksum;
        deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, checksum != null);
        if (checksum != null) {
            out.put(GZIP_HEADER);
            isTrailerDue = true;
        }
    }

    /** To the format of zlib. */
    public static DeflateCodec zlib() {
        return new DeflateCodec(null);
    }

    /** To the format of gzip. */
    public static DeflateCodec gzip() {
        return new DeflateCodec(new CRC32());
    }

    @Override
    public void accept(ByteBuffer chunk) {
        if (checksum != null) {
            checksum.update(chunk.duplicate());
        }
        deflater.setInput(chunk.duplicate());
    }

    @Override
    public void finish() {
        deflater.setInput(ByteBuffer.allocate(0));
        deflater.finish();
    }

    @Override
    public @Nullable ByteBuffer next() {
        while (out.hasRemaining() && deflater.deflate(out) > 0) {
            // Goes on until the chunk is full or the deflater wants more input.
        }
        if (!out.hasRemaining()) {
            return take();
        }
        if (!deflater.finished()) {
            return null;
        }
        if (isTrailerDue) {
            if (out.remaining() < TRAILER_BYTES) {
                return take();
            }
            putTrailer();
        }
        return out.position() > 0 ? take() : null;
    }

    private void putTrailer() {
        isTrailerDue = false;
        if (checksum != null) {
            out.order(ByteOrder.LITTLE_ENDIAN).putInt((int) checksum.getValue()).putInt((int) deflater.getBytesRead());
        }
    }

    private ByteBuffer take() {
        ByteBuffer full = out.flip().asReadOnlyBuffer();
        out = ByteBuffer.allocate(CHUNK_BYTES);
        return full;
    }

    @Override
    public void close() {
        deflater.end();
    }
}
