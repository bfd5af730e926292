package io.millrace.broker.model;

import io.millrace.broker.log.Position;
import io.millrace.wire.MessageMetadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** What a client sent in one SEND, and what is known of where it is. Its id is its sequence id. */
final class Published {
    /** UNKNOWN until its receipt, or a delivery, or its absence after a restart. */
    enum Fate {
        UNKNOWN,
        STORED,
        NOWHERE
    }

    /**
     * Who sent it.
     *
     * @param session counts the openings of producers: what one of them sent stands in the log without a gap
     */
    record Sender(String producer, int session) {}

    /** What is in it; times in milliseconds, a key may be null. */
    @SuppressWarnings("ArrayRecordComponent")
    record Content(String key, int messages, long publishMillis, long deliverAtMillis, byte[] bytes) {}

    final long id;
    final Sender sender;
    final Content content;
    /** Whether it is a chunk: these go where the first one went, whoever has their key by now. */
    final boolean chunk;

    Fate fate = Fate.UNKNOWN;
    Position position;

    Published(long id, Sender sender, Content content) {
        this.id = id;
        this.sender = sender;
        this.content = content;
        chunk = metadata(content.bytes()).hasNumChunksFromMsg();
    }

    /** What is said of a message in the bytes behind its command. */
    static MessageMetadata metadata(byte[] message) {
        ByteBuf bytes = Unpooled.wrappedBuffer(message).skipBytes(Short.BYTES + Integer.BYTES);
        MessageMetadata metadata = new MessageMetadata();
        metadata.parseFrom(bytes, bytes.readInt());
        return metadata;
    }

    boolean hasKeyOf(Published other) {
        return content.key() != null && content.key().equals(other.content.key());
    }

    boolean isStored() {
        return fate == Fate.STORED;
    }

    int messages() {
        return content.messages();
    }

    @Override
    public String toString() {
        return "#" + id + " of " + sender + " at " + position + " (" + fate + ", " + messages() + " messages, key "
                + content.key() + (content.deliverAtMillis() > 0 ? ", for " + content.deliverAtMillis() : "") + ")";
    }
}
