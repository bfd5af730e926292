package io.millrace.broker.log;

import io.netty.buffer.ByteBuf;

/**
 * A stored entry with one reference to its bytes, which are exactly what the client sent after the SEND command.
 * The reference count is that of {@link #data()}: releasing either releases the other, from any thread.
 */
public final class Entry {
    private final Position position;
    private final EntryHeader header;
    private final ByteBuf data;

    public Entry(Position position, EntryHeader header, ByteBuf data) {
        this.position = position;
        this.header = header;
        this.data = data;
    }

    public Position position() {
        return position;
    }

    public EntryHeader header() {
        return header;
    }

    /** The bytes; the indexes of this buffer belong to the one that was given the entry, so share a duplicate. */
    public ByteBuf data() {
        return data;
    }

    /** Gives back one reference to the bytes. */
    public void release() {
        data.release();
    }

    @Override
    public String toString() {
        return "Entry[" + position + ", " + data.readableBytes() + " bytes]";
    }
}
