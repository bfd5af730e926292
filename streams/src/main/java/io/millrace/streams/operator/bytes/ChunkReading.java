package io.millrace.streams.operator.bytes;

import io.millrace.streams.graph.ThrowingFunction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads what there is of an input stream, up to so many bytes, each time into a buffer of its own. */
public record ChunkReading(int chunkBytes) implements ThrowingFunction<InputStream, Optional<ByteBuffer>> {
    public ChunkReading {
        checked(chunkBytes);
    }

    /** Refuses chunks without a byte. */
    public static void checked(int chunkBytes) {
        if (chunkBytes < 1) {
            throw new IllegalArgumentException("a chunk must have at least 1 byte, not " + chunkBytes);
        }
    }

    @Override
    public Optional<ByteBuffer> apply(InputStream in) throws IOException {
        byte[] chunk = new byte[chunkBytes];
        int readBytes = in.read(chunk);
        return readBytes < 0 ? Optional.empty() : Optional.of(ByteBuffer.wrap(chunk, 0, readBytes));
    }
}
