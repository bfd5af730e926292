package io.millrace.broker.model;

import io.millrace.broker.protocol.WireFrames;
import io.millrace.wire.BaseCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** One connection to a broker that never waits: it writes frames, hands out those that have come, and answers PING. */
public final class Line implements AutoCloseable {
    private static final int FIRST_BUFFER_BYTES = 1 << 12;

    private final SocketChannel channel;
    private ByteBuffer in = ByteBuffer.allocate(FIRST_BUFFER_BYTES);
    private boolean ended;

    /** A command and what followed it in its frame. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Frame(BaseCommand command, byte[] rest) {}

    /** Connects and says CONNECT; CONNECTED is the first frame to come. */
    public Line(int port) throws IOException {
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        send(
                BaseCommand.Type.CONNECT,
                c -> c.setConnect().setClientVersion("line").setProtocolVersion(21));
    }

    /** Writes a command without anything behind it. */
    public void send(BaseCommand.Type type, Consumer<BaseCommand> fill) throws IOException {
        write(WireFrames.frame(WireFrames.command(type, fill)));
    }

    /** Writes these bytes, and goes on reading while the broker takes no more. */
    public void write(byte[] bytes) throws IOException {
        ByteBuffer out = ByteBuffer.wrap(bytes);
        while (out.hasRemaining() && !ended) {
            try {
                if (channel.write(out) == 0) {
                    fill();
                }
            } catch (IOException closedByPeer) {
                ended = true;
            }
        }
    }

    /** The next frame that has come as a whole; null if there is none yet. */
    public Frame poll() throws IOException {
        Frame frame = next();
        if (frame == null && !ended) {
            fill();
            frame = next();
        }
        if (frame != null && frame.command().getType() == BaseCommand.Type.PING) {
            send(BaseCommand.Type.PONG, BaseCommand::setPong);
        }
        return frame;
    }

    /** Whether the broker has closed it. */
    public boolean hasEnded() {
        return ended;
    }

    private void fill() {
        if (!in.hasRemaining()) {
            in = ByteBuffer.allocate(in.capacity() * 2).put(in.flip());
        }
        try {
            ended |= channel.read(in) < 0;
        } catch (IOException closedByPeer) {
            ended = true;
        }
    }

    private Frame next() {
        if (in.position() < Integer.BYTES || in.position() < Integer.BYTES + in.getInt(0)) {
            return null;
        }
        in.flip();
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        in.compact();
        ByteBuf frame = Unpooled.wrappedBuffer(bytes);
        BaseCommand command = new BaseCommand();
        command.parseFrom(frame, frame.readInt());
        command.materialize();
        byte[] rest = new byte[frame.readableBytes()];
        frame.readBytes(rest);
        return new Frame(command, rest);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
