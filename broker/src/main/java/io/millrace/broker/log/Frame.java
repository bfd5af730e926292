package io.millrace.broker.log;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The one record format of journal and ledgers; a ledger holds the very bytes that the journal held.
 *
 * <pre>
 *  0  magic 'M' 'R', version, type      16  epoch: number of the journal group, ever ascending
 *  4  CRC-32C of 8 .. end of head       24  id: ledger of an entry, else topic
 *  8  bytes of body                     32  index: entry, cursor or what the type says
 * 12  CRC-32C of body                   40  body; in an entry first 28 bytes of {@link EntryHeader}, part of the head
 * </pre>
 *
 * Both checksums are mixed with the folder's random salt, so that no client can forge a frame inside a message, and
 * the head's also with the first four bytes. For one thread.
 */
final class Frame {
    static final byte ENTRY = 1;
    static final byte CURSOR_DELTA = 2;
    static final byte TOPIC_CREATED = 3;
    static final byte TOPIC_DELETED = 4;
    static final byte LEDGER_OPENED = 5;
    static final byte LEDGER_DELETED = 6;
    static final byte CURSOR_CREATED = 7;
    static final byte CURSOR_DELETED = 8;
    static final byte COMMIT = 9;
    static final byte TOPIC_PROPERTY = 10;
    static final byte VALUE_SET = 11;
    static final byte VALUE_REMOVED = 12;
    static final byte BATCH = 13;
    static final byte CURSOR_PROPERTIES = 14;

    static final int HEAD_BYTES = 40;
    static final int ENTRY_HEAD_BYTES = HEAD_BYTES + 28;

    /** Of journal and ledgers; it stands in each frame. */
    static final int FORMAT = 1;

    private static final int MAGIC = 0x4D520000 | FORMAT << 8;
    private static final int HEAD_CRC = 4;
    private static final int BODY_BYTES = 8;
    private static final int BODY_CRC = 12;
    private static final int EPOCH = 16;
    private static final int ID = 24;
    private static final int INDEX = 32;

    private final CRC32C crc = new CRC32C();
    private final int saltHash;

    Frame(long salt) {
        saltHash = Long.hashCode(salt * 0x9E3779B97F4A7C15L);
    }

    static int entryBytes(int dataBytes) {
        return ENTRY_HEAD_BYTES + dataBytes;
    }

    static int recordBytes(int bodyBytes) {
        return HEAD_BYTES + bodyBytes;
    }

    /** The same of a body that may be larger than any record. */
    static long recordBytes(long bodyBytes) {
        return HEAD_BYTES + bodyBytes;
    }

    /** Writes an entry's frame at the position of {@code target} and moves it behind the frame. */
    void writeEntry(ByteBuffer target, long epoch, long ledgerId, long entryId, EntryHeader header, ByteBuf data) {
        int start = target.position();
        int dataBytes = data.readableBytes();
        target.putInt(start + HEAD_BYTES, header.messageCount());
        target.putLong(start + HEAD_BYTES + 4, header.publishTimeMillis());
        target.putInt(start + HEAD_BYTES + 12, header.stickyKeyHash());
        target.putLong(start + HEAD_BYTES + 16, header.deliverAtMillis());
        target.putInt(start + HEAD_BYTES + 24, header.flags());
        int limit = target.limit();
        target.position(start + ENTRY_HEAD_BYTES).limit(start + ENTRY_HEAD_BYTES + dataBytes);
        data.getBytes(data.readerIndex(), target);
        target.limit(limit);
        seal(target, start, ENTRY, dataBytes, epoch, ledgerId, entryId);
    }

    /** Writes any other frame at the position of {@code target} and moves it behind the frame. */
    void writeRecord(ByteBuffer target, byte type, long epoch, long id, long index, byte[] body) {
        int start = target.position();
        target.position(start + HEAD_BYTES);
        target.put(body);
        seal(target, start, type, body.length, epoch, id, index);
    }

    private void seal(ByteBuffer target, int start, byte type, int bodyBytes, long epoch, long id, long index) {
        target.putInt(start, MAGIC | type);
        target.putInt(start + BODY_BYTES, bodyBytes);
        target.putLong(start + EPOCH, epoch);
        target.putLong(start + ID, id);
        target.putLong(start + INDEX, index);
        int bodyStart = start + headBytes(type);
        target.putInt(start + BODY_CRC, checksum(target, bodyStart, bodyBytes));
        target.putInt(start + HEAD_CRC, checksum(target, start + BODY_BYTES, bodyStart - start - BODY_BYTES) ^ type);
        target.position(bodyStart + bodyBytes);
    }

    private int checksum(ByteBuffer buffer, int start, int bytes) {
        int position = buffer.position();
        int limit = buffer.limit();
        buffer.limit(start + bytes).position(start);
        crc.reset();
        crc.update(buffer);
        buffer.limit(limit).position(position);
        return (int) crc.getValue() ^ saltHash;
    }

    /** Whether an undamaged head starts here and ends within the buffer's limit. */
    boolean isHead(ByteBuffer buffer, int start) {
        if (start + HEAD_BYTES > buffer.limit() || (buffer.getInt(start) & 0xFFFFFF00) != MAGIC) {
            return false;
        }
        byte type = type(buffer, start);
        int headBytes = headBytes(type);
        if (type < ENTRY
                || type > CURSOR_PROPERTIES
                || start + headBytes > buffer.limit()
                || bodyBytes(buffer, start) < 0) {
            return false;
        }
        int expected = buffer.getInt(start + HEAD_CRC);
        return (checksum(buffer, start + BODY_BYTES, headBytes - BODY_BYTES) ^ type) == expected;
    }

    /** Whether the body behind this undamaged head is undamaged too; it must lie within the buffer's limit. */
    boolean isBodySound(ByteBuffer buffer, int start) {
        int headBytes = headBytes(type(buffer, start));
        return checksum(buffer, start + headBytes, bodyBytes(buffer, start)) == buffer.getInt(start + BODY_CRC);
    }

    /** The format that a frame at this place would have, or -1 if there is none; the buffer goes on for a head at least. */
    static int format(ByteBuffer buffer, int start) {
        boolean isFrame = buffer.getShort(start) == (short) (MAGIC >>> 16);
        return isFrame ? buffer.get(start + 2) & 0xFF : -1;
    }

    static byte type(ByteBuffer buffer, int start) {
        return buffer.get(start + 3);
    }

    static int headBytes(byte type) {
        return type == ENTRY ? ENTRY_HEAD_BYTES : HEAD_BYTES;
    }

    static int bodyBytes(ByteBuffer buffer, int start) {
        return buffer.getInt(start + BODY_BYTES);
    }

    static int frameBytes(ByteBuffer buffer, int start) {
        return headBytes(type(buffer, start)) + bodyBytes(buffer, start);
    }

    static long epoch(ByteBuffer buffer, int start) {
        return buffer.getLong(start + EPOCH);
    }

    static long id(ByteBuffer buffer, int start) {
        return buffer.getLong(start + ID);
    }

    static long index(ByteBuffer buffer, int start) {
        return buffer.getLong(start + INDEX);
    }

    /** When the client published the entry, in milliseconds since the epoch. */
    static long publishTimeMillis(ByteBuffer buffer, int start) {
        return buffer.getLong(start + HEAD_BYTES + 4);
    }

    static EntryHeader entryHeader(ByteBuffer buffer, int start) {
        int at = start + HEAD_BYTES;
        return new EntryHeader(
                buffer.getInt(at),
                buffer.getLong(at + 4),
                buffer.getInt(at + 12),
                buffer.getLong(at + 16),
                buffer.getInt(at + 24));
    }

    static byte[] body(ByteBuffer buffer, int start) {
        byte[] body = new byte[bodyBytes(buffer, start)];
        buffer.get(start + headBytes(type(buffer, start)), body);
        return body;
    }
}
