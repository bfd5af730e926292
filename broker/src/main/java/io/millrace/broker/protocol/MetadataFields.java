package io.millrace.broker.protocol;

import io.netty.buffer.ByteBuf;

/**
 * The fields of a message's metadata that dispatch needs. One object is used for all messages, and its keys are valid
 * until the next one is read: single-threaded.
 */
final class MetadataFields {
    private static final int PRODUCER_NAME = FieldReader.bytesTag(1);
    private static final int SEQUENCE_ID = FieldReader.numberTag(2);
    private static final int PUBLISH_TIME = FieldReader.numberTag(3);
    private static final int PARTITION_KEY = FieldReader.bytesTag(6);
    private static final int MESSAGES_IN_BATCH = FieldReader.numberTag(11);
    private static final int PARTITION_KEY_IS_BASE_64 = FieldReader.numberTag(17);
    private static final int ORDERING_KEY = FieldReader.bytesTag(18);
    private static final int DELIVER_AT_TIME = FieldReader.numberTag(19);
    private static final int TXN_LEAST_BITS = FieldReader.numberTag(22);
    private static final int TXN_MOST_BITS = FieldReader.numberTag(23);
    private static final int UUID = FieldReader.bytesTag(26);
    private static final int CHUNKS = FieldReader.numberTag(27);
    private static final int CHUNK_ID = FieldReader.numberTag(29);
    private static final int HAS_PRODUCER_NAME = 1;
    private static final int HAS_SEQUENCE_ID = 2;
    private static final int HAS_PUBLISH_TIME = 4;
    private static final int HAS_ALL_REQUIRED = 7;

    private final FieldReader fields = new FieldReader();
    private final KeyBytes partitionKey = new KeyBytes();
    private final KeyBytes orderingKey = new KeyBytes();
    private final KeyBytes uuid = new KeyBytes();
    private int required;
    private int producerNameBytes;
    private long sequenceId;
    private long publishTime;
    private long deliverAtTime;
    private int messagesInBatch;
    private int chunks;
    private int chunkId;
    private boolean isBatch;
    private boolean isPartitionKeyBase64;
    private boolean isTransactional;

    /** A key, as a part of an array. */
    static final class KeyBytes {
        private byte[] in = {};
        private int at;
        private int count;
        private boolean isPresent;

        private void set(FieldReader field) {
            in = field.bytes();
            at = field.bytesAt();
            count = field.byteCount();
            isPresent = true;
        }

        boolean isPresent() {
            return isPresent;
        }

        byte[] in() {
            return in;
        }

        int at() {
            return at;
        }

        int count() {
            return count;
        }
    }

    void read(ByteBuf data, int at, int bytes) throws MalformedFrameException {
        clear();
        fields.load(data, at, bytes);
        while (fields.next()) {
            take();
        }
        if (required != HAS_ALL_REQUIRED) {
            throw new MalformedFrameException(
                    "message metadata without a producer name, a sequence id or a publish time");
        }
    }

    private void clear() {
        required = 0;
        deliverAtTime = 0;
        messagesInBatch = 1;
        chunks = 1;
        chunkId = 0;
        isBatch = false;
        isPartitionKeyBase64 = false;
        isTransactional = false;
        partitionKey.isPresent = false;
        orderingKey.isPresent = false;
        uuid.isPresent = false;
    }

    private void take() {
        int tag = fields.tag();
        if (tag == PRODUCER_NAME) {
            required |= HAS_PRODUCER_NAME;
            producerNameBytes = fields.byteCount();
        } else if (tag == SEQUENCE_ID) {
            required |= HAS_SEQUENCE_ID;
            sequenceId = fields.number();
        } else if (tag == PUBLISH_TIME) {
            required |= HAS_PUBLISH_TIME;
            publishTime = fields.number();
        } else if (tag == PARTITION_KEY) {
            partitionKey.set(fields);
        } else if (tag == ORDERING_KEY) {
            orderingKey.set(fields);
        } else if (tag == UUID) {
            uuid.set(fields);
        } else {
            takeNumber(tag, fields.number());
        }
    }

    private void takeNumber(int tag, long number) {
        if (tag == MESSAGES_IN_BATCH) {
            isBatch = true;
            messagesInBatch = (int) number;
        } else if (tag == PARTITION_KEY_IS_BASE_64) {
            isPartitionKeyBase64 = number != 0;
        } else if (tag == DELIVER_AT_TIME) {
            deliverAtTime = number;
        } else if (tag == CHUNKS) {
            chunks = (int) number;
        } else if (tag == CHUNK_ID) {
            chunkId = (int) number;
        } else if (tag == TXN_LEAST_BITS || tag == TXN_MOST_BITS) {
            isTransactional = true;
        }
    }

    int producerNameBytes() {
        return producerNameBytes;
    }

    long sequenceId() {
        return sequenceId;
    }

    /** Milliseconds since the epoch, as all times here. */
    long publishTime() {
        return publishTime;
    }

    /** 0 for "at once". */
    long deliverAtTime() {
        return deliverAtTime;
    }

    boolean isBatch() {
        return isBatch;
    }

    /** 1 if the message is no batch. */
    int messagesInBatch() {
        return messagesInBatch;
    }

    /** The number of chunks of the whole message; 1 if it is not chunked. */
    int chunks() {
        return chunks;
    }

    int chunkId() {
        return chunkId;
    }

    boolean isTransactional() {
        return isTransactional;
    }

    KeyBytes partitionKey() {
        return partitionKey;
    }

    /** What all chunks of one message have in common. */
    KeyBytes uuid() {
        return uuid;
    }

    boolean isPartitionKeyBase64() {
        return isPartitionKeyBase64;
    }

    KeyBytes orderingKey() {
        return orderingKey;
    }
}
