package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * Several changes of the catalog in the body of one record, so that they are durable together.
 *
 * <pre>
 *  0  type of the change    17  bytes of body
 *  1  id                    21  body, then the next change
 *  9  index
 * </pre>
 */
final class LogBatch {
    /** A topic with this property is kept though it holds nothing. */
    static final byte[] KEPT = property("kept");

    static final int STEP_HEAD_BYTES = 1 + 2 * Long.BYTES + Integer.BYTES;

    private static final int MAX_BYTES = Integer.MAX_VALUE - Frame.HEAD_BYTES;

    private LogBatch() {}

    /**
     * The record of these changes.
     *
     * @throws IllegalArgumentException if it were larger than any record
     */
    static CatalogChange of(List<CatalogChange> changes) {
        long bytes = changes.stream()
                .mapToLong(change -> STEP_HEAD_BYTES + change.body().length)
                .sum();
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("changes of " + bytes + " bytes do not fit one record");
        }
        ByteBuffer body = ByteBuffer.allocate((int) bytes);
        for (CatalogChange change : changes) {
            body.put(change.type()).putLong(change.id()).putLong(change.index());
            body.putInt(change.body().length).put(change.body());
        }
        return new CatalogChange(Frame.BATCH, 0, 0, body.array());
    }

    /** Passes on the changes in their order. */
    static void forEach(byte[] batch, Consumer<CatalogChange> visitor) {
        ByteBuffer in = ByteBuffer.wrap(batch);
        while (in.hasRemaining()) {
            byte type = in.get();
            long id = in.getLong();
            long index = in.getLong();
            byte[] body = new byte[in.getInt()];
            in.get(body);
            visitor.accept(new CatalogChange(type, id, index, body));
        }
    }

    private static byte[] property(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Short.BYTES + text.length)
                .putShort((short) text.length)
                .put(text)
                .array();
    }
}
