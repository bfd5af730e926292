package io.millrace.streams.operator.bytes;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Bytes in chunks of random sizes and kinds, empty ones among them. */
final class RandomChunks {
    private RandomChunks() {}

    static List<ByteBuffer> of(byte[] bytes, Random random) {
        List<ByteBuffer> chunks = new ArrayList<>();
        int most = 1 + random.nextInt(Math.max(1, bytes.length));
        int at = 0;
        while (at < bytes.length) {
            int size = Math.min(random.nextInt(most + 1), bytes.length - at);
            chunks.add(chunk(bytes, at, size, random.nextInt(3)));
            at += size;
        }
        return chunks;
    }

    private static ByteBuffer chunk(byte[] bytes, int at, int size, int kind) {
        ByteBuffer view = ByteBuffer.wrap(bytes, at, size);
        return switch (kind) {
            case 0 -> view;
            case 1 -> view.asReadOnlyBuffer();
            default -> ByteBuffer.allocateDirect(size + 1).put(view).flip();
        };
    }
}
