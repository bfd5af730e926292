package io.millrace.broker.protocol;

import io.netty.buffer.ByteBuf;

/** The fields of a SEND that publishing needs. One object is used for all commands: single-threaded. */
final class SendCommand {
    private static final int SEND = FieldReader.bytesTag(6);
    private static final int PRODUCER_ID = FieldReader.numberTag(1);
    private static final int SEQUENCE_ID = FieldReader.numberTag(2);
    private static final int TXN_LEAST_BITS = FieldReader.numberTag(4);
    private static final int TXN_MOST_BITS = FieldReader.numberTag(5);
    private static final int HIGHEST_SEQUENCE_ID = FieldReader.numberTag(6);

    private final FieldReader fields = new FieldReader();
    private long producerId;
    private long sequenceId;
    private long highestSequenceId;
    private boolean isTransactional;
    private boolean hasProducerId;
    private boolean hasSequenceId;

    /** Reads the command at that place, a BaseCommand of that type. */
    void read(ByteBuf frame, int at, int bytes) throws MalformedFrameException {
        int sendAt = -1;
        int sendBytes = 0;
        fields.load(frame, at, bytes);
        while (fields.next()) {
            if (fields.tag() == SEND) {
                sendAt = fields.bytesAt();
                sendBytes = fields.byteCount();
            }
        }
        if (sendAt < 0) {
            throw new MalformedFrameException("a SEND without its fields");
        }
        fields.enter(sendAt, sendBytes);
        readSend();
        if (!hasProducerId || !hasSequenceId) {
            throw new MalformedFrameException("a SEND without a producer or a sequence id");
        }
    }

    private void readSend() throws MalformedFrameException {
        hasProducerId = false;
        hasSequenceId = false;
        highestSequenceId = 0;
        isTransactional = false;
        while (fields.next()) {
            int tag = fields.tag();
            if (tag == PRODUCER_ID) {
                producerId = fields.number();
                hasProducerId = true;
            } else if (tag == SEQUENCE_ID) {
                sequenceId = fields.number();
                hasSequenceId = true;
            } else if (tag == HIGHEST_SEQUENCE_ID) {
                highestSequenceId = fields.number();
            } else if (tag == TXN_LEAST_BITS || tag == TXN_MOST_BITS) {
                isTransactional = true;
            }
        }
    }

    long producerId() {
        return producerId;
    }

    long sequenceId() {
        return sequenceId;
    }

    /** The number of a batch's last message; 0 if the client did not set it. */
    long highestSequenceId() {
        return highestSequenceId;
    }

    boolean isTransactional() {
        return isTransactional;
    }
}
