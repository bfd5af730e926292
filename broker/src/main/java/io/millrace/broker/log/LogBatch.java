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

    private LogBatch() {}

    static CatalogChange of(List<CatalogChange> changes) {
        int bytes = changes.stream()
                .mapToInt(change -> STEP_HEAD_BYTES + change.body().length)
                .sum();
        ByteBuffer body = ByteBuffer.allocate(bytes);
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
