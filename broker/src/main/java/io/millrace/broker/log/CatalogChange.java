package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a frame says of topics, ledgers, cursors and values, as the catalog applies it.
 *
 * @param type which of the frame's types
 * @param id the topic's; of a ledger its own
 * @param index the cursor's; of a ledger its topic's; of a new topic when it was made; 0 where the topic alone is meant
 */
@SuppressWarnings("ArrayRecordComponent")
record CatalogChange(byte type, long id, long index, byte[] body) {
    private static final byte[] NOTHING = {};

    /** At that time, in milliseconds since the epoch; earlier versions say 0. */
    static CatalogChange topicCreated(long topicId, String name, long millis) {
        return new CatalogChange(Frame.TOPIC_CREATED, topicId, millis, name.getBytes(StandardCharsets.UTF_8));
    }

    static CatalogChange topicDeleted(long topicId) {
        return new CatalogChange(Frame.TOPIC_DELETED, topicId, 0, NOTHING);
    }

    static CatalogChange topicProperty(long topicId, byte[] property) {
        return new CatalogChange(Frame.TOPIC_PROPERTY, topicId, 0, property);
    }

    static CatalogChange valueSet(String name, byte[] value) {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        byte[] body = ByteBuffer.allocate(Short.BYTES + nameBytes.length + value.length)
                .putShort((short) nameBytes.length)
                .put(nameBytes)
                .put(value)
                .array();
        return new CatalogChange(Frame.VALUE_SET, 0, 0, body);
    }

    static CatalogChange valueRemoved(String name) {
        return new CatalogChange(Frame.VALUE_REMOVED, 0, 0, name.getBytes(StandardCharsets.UTF_8));
    }

    /** At that time, in milliseconds since the epoch; earlier versions do not say when. */
    static CatalogChange ledgerOpened(long ledgerId, long topicId, long millis) {
        byte[] body = ByteBuffer.allocate(Long.BYTES).putLong(millis).array();
        return new CatalogChange(Frame.LEDGER_OPENED, ledgerId, topicId, body);
    }

    static CatalogChange ledgerDeleted(long ledgerId, long topicId) {
        return new CatalogChange(Frame.LEDGER_DELETED, ledgerId, topicId, NOTHING);
    }

    static CatalogChange cursorCreated(long topicId, long cursorId, byte[] creation) {
        return new CatalogChange(Frame.CURSOR_CREATED, topicId, cursorId, creation);
    }

    static CatalogChange cursorProperties(long topicId, long cursorId, byte[] properties) {
        return new CatalogChange(Frame.CURSOR_PROPERTIES, topicId, cursorId, properties);
    }

    static CatalogChange cursorDeleted(long topicId, long cursorId) {
        return new CatalogChange(Frame.CURSOR_DELETED, topicId, cursorId, NOTHING);
    }

    static CatalogChange cursorDelta(long topicId, long cursorId, byte[] delta) {
        return new CatalogChange(Frame.CURSOR_DELTA, topicId, cursorId, delta);
    }
}
