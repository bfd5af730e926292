package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.topic.PublishRequest;
import io.millrace.wire.CompressionType;
import io.millrace.wire.KeyValue;
import io.millrace.wire.MessageMetadata;
import io.millrace.wire.SingleMessageMetadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads messages from entries and writes entries from messages, for programs that embed the broker. For one producer;
 * single-threaded.
 */
public final class MessageFormat {
    /** Of a message that is read here: it is held a few times while it is, and clients say how long it is. */
    private static final int MAX_PLAIN_BYTES =
            (int) Math.min(64 << 20, Math.max(1 << 20, Runtime.getRuntime().maxMemory() / 16));

    private static final int MAGIC = 0x0e01;
    private static final int CHECKSUM_BYTES = Short.BYTES + Integer.BYTES;

    private final String producerName;
    private final StickyKey stickyKey;
    private final PublishedMessage reader = new PublishedMessage();

    /** The entries it writes bear the name of that producer. */
    public MessageFormat(String producerName) {
        this.producerName = producerName;
        stickyKey = new StickyKey(producerName);
    }

    /** An entry with this message alone; {@code deliverAtMillis} is 0 for "at once". */
    public PublishRequest request(long sequenceId, StoredMessage message, long deliverAtMillis) {
        MessageMetadata metadata = new MessageMetadata()
                .setProducerName(producerName)
                .setSequenceId(sequenceId)
                .setPublishTime(message.publishTimeMillis())
                .setUncompressedSize(message.payload().length);
        if (message.key() != null) {
            metadata.setPartitionKey(message.key());
        }
        if (deliverAtMillis > 0) {
            metadata.setDeliverAtTime(deliverAtMillis);
        }
        message.properties()
                .forEach((name, value) -> metadata.addProperty().setKey(name).setValue(value));
        int metadataBytes = metadata.getSerializedSize();
        ByteBuf data = ByteBufAllocator.DEFAULT.buffer(
                CHECKSUM_BYTES + Integer.BYTES + metadataBytes + message.payload().length);
        data.writeShort(MAGIC).writeInt(0).writeInt(metadataBytes);
        metadata.writeTo(data);
        data.writeBytes(message.payload());
        CRC32C checksum = new CRC32C();
        checksum.update(data.nioBuffer(CHECKSUM_BYTES, data.readableBytes() - CHECKSUM_BYTES));
        data.setInt(Short.BYTES, (int) checksum.getValue());
        try {
            EntryHeader header = reader.header(data, stickyKey);
            return new PublishRequest(sequenceId, sequenceId, header, data);
        } catch (MalformedFrameException impossible) {
            data.release();
            throw new IllegalStateException("a message that was just made does not parse", impossible);
        }
    }

    /**
     * The messages of an entry, whose bytes stay the caller's.
     *
     * @throws BrokerException of kind UNSUPPORTED for encryption, chunks, and compression other than ZLIB; NOT_ALLOWED
     *     for bytes that are no message
     */
    public static List<StoredMessage> messages(ByteBuf entry) {
        ByteBuf data = entry.slice();
        try {
            MessageMetadata metadata = metadata(data);
            ByteBuf payload = payload(data, metadata);
            return metadata.hasNumMessagesInBatch() ? batch(payload, metadata) : List.of(alone(payload, metadata));
        } catch (IndexOutOfBoundsException | IllegalArgumentException | DataFormatException e) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, "an entry is no message: " + e.getMessage(), e);
        }
    }

    /**
     * What an entry says of itself, and its payload, a batch as a whole; its bytes stay the caller's.
     *
     * @throws BrokerException as {@link #messages} does
     */
    public static Contents contents(ByteBuf entry) {
        ByteBuf data = entry.slice();
        try {
            MessageMetadata metadata = metadata(data);
            metadata.materialize();
            ByteBuf payload = payload(data, metadata);
            return new Contents(metadata, bytes(payload, payload.readableBytes()));
        } catch (IndexOutOfBoundsException | IllegalArgumentException | DataFormatException e) {
            throw new BrokerException(ErrorKind.NOT_ALLOWED, "an entry is no message: " + e.getMessage(), e);
        }
    }

    /**
     * An entry, read.
     *
     * @param payload not compressed
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Contents(MessageMetadata metadata, byte[] payload) {}

    private static MessageMetadata metadata(ByteBuf data) {
        if (data.readableBytes() >= CHECKSUM_BYTES && data.getUnsignedShort(0) == MAGIC) {
            data.skipBytes(CHECKSUM_BYTES);
        }
        int metadataBytes = data.readInt();
        MessageMetadata metadata = new MessageMetadata();
        metadata.parseFrom(data.readSlice(metadataBytes), metadataBytes);
        return metadata;
    }

    private static StoredMessage alone(ByteBuf payload, MessageMetadata metadata) {
        return new StoredMessage(
                StoredMessage.Place.ALONE,
                bytes(payload, payload.readableBytes()),
                metadata.hasPartitionKey() ? metadata.getPartitionKey() : null,
                properties(metadata.getPropertiesList()),
                metadata.getPublishTime());
    }

    private static List<StoredMessage> batch(ByteBuf payload, MessageMetadata metadata) {
        int count = metadata.getNumMessagesInBatch();
        List<StoredMessage> messages = new ArrayList<>(Math.min(count, 1_024));
        SingleMessageMetadata single = new SingleMessageMetadata();
        for (int i = 0; i < count; i++) {
            int metadataBytes = payload.readInt();
            single.parseFrom(payload.readSlice(metadataBytes), metadataBytes);
            messages.add(new StoredMessage(
                    new StoredMessage.Place(i, count),
                    bytes(payload, single.getPayloadSize()),
                    single.hasPartitionKey() ? single.getPartitionKey() : null,
                    properties(single.getPropertiesList()),
                    metadata.getPublishTime()));
        }
        return messages;
    }

    private static ByteBuf payload(ByteBuf data, MessageMetadata metadata) throws DataFormatException {
        requirePlain(metadata.getEncryptionKeysCount() > 0, "encrypted");
        requirePlain(metadata.hasNumChunksFromMsg() && metadata.getNumChunksFromMsg() > 1, "a chunk of a larger one");
        if (!metadata.hasCompression() || metadata.getCompression() == CompressionType.NONE) {
            return data;
        }
        requirePlain(metadata.getCompression() != CompressionType.ZLIB, "compressed with " + metadata.getCompression());
        int plainBytes = metadata.getUncompressedSize();
        if (plainBytes < 0 || plainBytes > MAX_PLAIN_BYTES) {
            throw new BrokerException(
                    ErrorKind.UNSUPPORTED,
                    "a message is said to have " + Integer.toUnsignedString(plainBytes)
                            + " bytes when it is not compressed; only a client can read more than " + MAX_PLAIN_BYTES);
        }
        byte[] plain = new byte[plainBytes];
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes(data, data.readableBytes()));
            int length = inflater.inflate(plain);
            return Unpooled.wrappedBuffer(plain, 0, length);
        } finally {
            inflater.end();
        }
    }

    private static void requirePlain(boolean isNot, String what) {
        if (isNot) {
            throw new BrokerException(ErrorKind.UNSUPPORTED, "a message is " + what + ", which only a client can read");
        }
    }

    private static Map<String, String> properties(List<KeyValue> pairs) {
        Map<String, String> properties = new HashMap<>();
        for (KeyValue pair : pairs) {
            properties.put(pair.getKey(), pair.getValue());
        }
        return properties;
    }

    private static byte[] bytes(ByteBuf from, int length) {
        if (length < 0 || length > from.readableBytes()) {
            throw new IndexOutOfBoundsException(
                    length + " bytes are said to follow, but there are " + from.readableBytes());
        }
        byte[] bytes = new byte[length];
        from.readBytes(bytes);
        return bytes;
    }
}
