package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.EntryHeader;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Reads what follows a SEND command, without changing or keeping it.
 *
 * <pre>
 *  +-----------+-----------+------------------+----------+---------+
 *  | 0x0e01: 2 | CRC32C: 4 | metadata size: 4 | metadata | payload |
 *  +-----------+-----------+------------------+----------+---------+
 *                          |<---- what the checksum covers ------->|
 * </pre>
 *
 * Magic number and checksum may be missing together. Reuses its objects: single-threaded.
 */
final class PublishedMessage {
    private static final int MAGIC = 0x0e01;
    private static final int CHECKSUM_BYTES = Short.BYTES + Integer.BYTES;

    private final MetadataFields metadata = new MetadataFields();
    private final CRC32C crc = new CRC32C();

    /** How many bytes magic number and checksum take at the start of a message: 0 where it has none. */
    static int checksumBytes(ByteBuf data) {
        boolean isThere = data.readableBytes() >= CHECKSUM_BYTES && data.getUnsignedShort(data.readerIndex()) == MAGIC;
        return isThere ? CHECKSUM_BYTES : 0;
    }

    /**
     * The header to store beside a message.
     *
     * @throws BrokerException if the checksum is wrong, or a field asks for what the broker does not do
     * @throws MalformedFrameException if the bytes are no message
     */
    EntryHeader header(ByteBuf data, StickyKey stickyKey) throws MalformedFrameException {
        int checksumBytes = checksumBytes(data);
        int metadataAt = data.readerIndex() + checksumBytes;
        if (checksumBytes > 0) {
            verify(data, metadataAt);
        }
        read(data, metadataAt);
        if (metadata.isTransactional()) {
            throw new BrokerException(ErrorKind.UNSUPPORTED, "transactions are not supported");
        }
        return new EntryHeader(
                messageCount(),
                metadata.publishTime(),
                stickyKey.hash(metadata),
                metadata.deliverAtTime(),
                chunkFlags() | (metadata.isBatch() ? EntryHeader.BATCHED : 0));
    }

    private void verify(ByteBuf data, int from) {
        int expected = data.getInt(from - Integer.BYTES);
        int length = data.writerIndex() - from;
        crc.reset();
        if (data.nioBufferCount() == 1) {
            crc.update(data.nioBuffer(from, length));
        } else {
            for (ByteBuffer part : data.nioBuffers(from, length)) {
                crc.update(part);
            }
        }
        int actual = (int) crc.getValue();
        if (actual != expected) {
            throw new BrokerException(
                    ErrorKind.CHECKSUM,
                    "the message's checksum is " + Integer.toHexString(expected) + ", but its bytes have "
                            + Integer.toHexString(actual));
        }
    }

    private void read(ByteBuf data, int at) throws MalformedFrameException {
        int readable = data.writerIndex() - at;
        if (readable < Integer.BYTES) {
            throw new MalformedFrameException("a SEND without message metadata");
        }
        int size = data.getInt(at);
        if (size < 0 || size > readable - Integer.BYTES) {
            throw new MalformedFrameException(
                    "message metadata of " + size + " bytes in a message of " + (readable - Integer.BYTES));
        }
        FieldLimit.MESSAGE_METADATA.check(size);
        metadata.read(data, at + Integer.BYTES, size);
        FieldLimit.PRODUCER_NAME.check(metadata.producerNameBytes());
    }

    private int chunkFlags() {
        int chunks = metadata.chunks();
        if (chunks <= 1) {
            return 0;
        }
        int chunk = metadata.chunkId();
        MetadataFields.KeyBytes uuid = metadata.uuid();
        int hash = uuid.isPresent() ? StickyKey.hash(uuid.in(), uuid.at(), uuid.count()) : 0;
        return EntryHeader.chunkFlags(chunk, chunks, hash);
    }

    private int messageCount() {
        int count = metadata.messagesInBatch();
        if (count < 1) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, "num_messages_in_batch must be at least 1, not " + count);
        }
        FieldLimit.BATCH_MESSAGES.check(count);
        return count;
    }
}
