package io.millrace.broker.protocol;

import io.millrace.wire.BaseCommand;
import io.millrace.wire.MessageMetadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** Frames as a client writes them, byte for byte. */
public final class WireFrames {
    private WireFrames() {}

    /** A command as a frame of its own. */
    public static byte[] frame(BaseCommand command) {
        return frame(command, new byte[0]);
    }

    /** A command and what follows it. */
    public static byte[] frame(BaseCommand command, byte[] rest) {
        int commandBytes = command.getSerializedSize();
        ByteBuf frame = Unpooled.buffer(8 + commandBytes + rest.length);
        frame.writeInt(4 + commandBytes + rest.length);
        frame.writeInt(commandBytes);
        command.writeTo(frame);
        frame.writeBytes(rest);
        return bytes(frame);
    }

    public static BaseCommand command(BaseCommand.Type type, Consumer<BaseCommand> fill) {
        BaseCommand command = new BaseCommand().setType(type);
        fill.accept(command);
        return command;
    }

    public static MessageMetadata metadata(long sequenceId) {
        return new MessageMetadata()
                .setProducerName("wire")
                .setSequenceId(sequenceId)
                .setPublishTime(1_700_000_000_000L);
    }

    /** What follows a SEND command: magic number, checksum, metadata and payload. */
    public static byte[] message(MessageMetadata metadata, String payload) {
        byte[] covered = withoutChecksum(metadata, payload);
        CRC32C crc = new CRC32C();
        crc.update(covered);
        return bytes(Unpooled.buffer(6 + covered.length)
                .writeShort(0x0e01)
                .writeInt((int) crc.getValue())
                .writeBytes(covered));
    }

    public static byte[] withoutChecksum(MessageMetadata metadata, String payload) {
        ByteBuf covered = Unpooled.buffer();
        covered.writeInt(metadata.getSerializedSize());
        metadata.writeTo(covered);
        covered.writeBytes(payload.getBytes(StandardCharsets.UTF_8));
        return bytes(covered);
    }

    /** A SEND of one message. */
    public static byte[] send(long producerId, long sequenceId, String payload) {
        return send(producerId, sequenceId, message(metadata(sequenceId), payload));
    }

    public static byte[] send(long producerId, long sequenceId, byte[] message) {
        return frame(
                command(
                        BaseCommand.Type.SEND,
                        c -> c.setSend().setProducerId(producerId).setSequenceId(sequenceId)),
                message);
    }

    /** An ACK whose message id names a first chunk, that one another, and so on. */
    public static byte[] deepAck(int depth) {
        byte[] tail = new byte[16 * depth + 64];
        int at = tail.length;
        int end = at;
        for (int i = 0; i < depth; i++) {
            at = prepend(tail, at, end, 0x3a);
            at = prependBytes(tail, at, 0x08, 1, 0x10, 1);
        }
        at = prepend(tail, at, end, 0x1a);
        at = prependBytes(tail, at, 0x08, 1, 0x10, 0);
        at = prepend(tail, at, end, (BaseCommand.Type.ACK_VALUE << 3) | 2);
        at = prependBytes(tail, at, 0x08, BaseCommand.Type.ACK_VALUE);
        return bytes(Unpooled.buffer().writeInt(4 + end - at).writeInt(end - at).writeBytes(tail, at, end - at));
    }

    /** Makes what is there a field of bytes; where that begins. */
    private static int prepend(byte[] target, int at, int end, int tag) {
        ByteBuf head = Unpooled.buffer().writeByte(tag);
        int count = end - at;
        while (count > 0x7f) {
            head.writeByte((count & 0x7f) | 0x80);
            count >>>= 7;
        }
        byte[] bytes = bytes(head.writeByte(count));
        System.arraycopy(bytes, 0, target, at - bytes.length, bytes.length);
        return at - bytes.length;
    }

    private static int prependBytes(byte[] target, int at, int... values) {
        for (int i = 0; i < values.length; i++) {
            target[at - values.length + i] = (byte) values[i];
        }
        return at - values.length;
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        buffer.release();
        return bytes;
    }
}
