package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandProducer;
import io.millrace.wire.CommandSubscribe;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.function.Consumer;

/** A client that writes whatever a test wants and answers nothing by itself but a PING where it expects something else. Single-threaded; no read waits for ever. */
final class RawClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private final DataInputStream in;
    private byte[] rest = new byte[0];

    private RawClient(int port, int bufferBytes) throws IOException {
        socket = new Socket();
        if (bufferBytes > 0) {
            socket.setReceiveBufferSize(bufferBytes);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** A connection that has not said anything yet. */
    static RawClient open(int port) throws IOException {
        return new RawClient(port, 0);
    }

    /** A connection after CONNECT and CONNECTED. */
    static RawClient connect(int port) throws IOException {
        return open(port).handshake();
    }

    /** The same for a client that speaks all up to that version of the protocol. */
    static RawClient connect(int port, int protocolVersion) throws IOException {
        return open(port).handshake(protocolVersion);
    }

    /** The same with a small receive buffer, so that the broker soon notices when nothing is read. */
    static RawClient connectNarrow(int port) throws IOException {
        return new RawClient(port, 4_096).handshake();
    }

    int localPort() {
        return socket.getLocalPort();
    }

    RawClient handshake() throws IOException {
        return handshake(ProtocolVersion.NEWEST);
    }

    private RawClient handshake(int protocolVersion) throws IOException {
        send(
                BaseCommand.Type.CONNECT,
                c -> c.setConnect().setClientVersion("raw").setProtocolVersion(protocolVersion));
        expect(BaseCommand.Type.CONNECTED);
        return this;
    }

    void send(BaseCommand.Type type, Consumer<BaseCommand> fill) throws IOException {
        write(WireFrames.frame(WireFrames.command(type, fill)));
    }

    void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Writes what the broker may refuse to read to its end. */
    void writeUntilClosed(byte[] bytes) throws IOException {
        try {
            write(bytes);
        } catch (SocketException e) {
            assertThat(e).as("the broker closed the connection meanwhile").isNotNull();
        }
    }

    /** The next command, whatever it is; null at the end of the connection. */
    BaseCommand receive() throws IOException {
        byte[] frame;
        try {
            frame = new byte[in.readInt()];
            in.readFully(frame);
        } catch (EOFException | SocketException e) {
            return null;
        }
        var buffer = Unpooled.wrappedBuffer(frame);
        BaseCommand command = new BaseCommand();
        command.parseFrom(buffer, buffer.readInt());
        command.materialize();
        rest = new byte[buffer.readableBytes()];
        buffer.readBytes(rest);
        return command;
    }

    /** Waits until the broker has begun to write something, and reads nothing of it. */
    void awaitOutput() throws IOException {
        in.mark(1);
        assertThat(in.read()).as("a byte, not the end of the connection").isNotNegative();
        in.reset();
    }

    /** Takes so many bytes of what the broker has written, wherever frames begin and end in them. */
    void take(int bytes) throws IOException {
        assertThat(in.readNBytes(bytes))
                .as("bytes before the end of the connection")
                .hasSize(bytes);
    }

    /** What followed the last received command in its frame. */
    byte[] rest() {
        return rest;
    }

    BaseCommand expect(BaseCommand.Type type) throws IOException {
        BaseCommand command = receive();
        while (command != null && command.getType() == BaseCommand.Type.PING && type != BaseCommand.Type.PING) {
            send(BaseCommand.Type.PONG, BaseCommand::setPong);
            command = receive();
        }
        assertThat(command).as("connection closed instead of " + type).isNotNull();
        assertThat(command.getType())
                .as(command.hasError() ? command.getError().getMessage() : "")
                .isEqualTo(type);
        return command;
    }

    /** Reads what is left; fails if the broker does not close the connection. */
    void expectClosed() throws IOException {
        BaseCommand command = receive();
        while (command != null) {
            command = receive();
        }
    }

    /** Answers the PING that comes next. */
    void answerPing() throws IOException {
        expect(BaseCommand.Type.PING);
        send(BaseCommand.Type.PONG, BaseCommand::setPong);
    }

    /** Proves that the connection lives: a PING is the next thing answered. */
    void expectAlive() throws IOException {
        send(BaseCommand.Type.PING, BaseCommand::setPing);
        expect(BaseCommand.Type.PONG);
    }

    /** Opens a producer; its name. */
    String producer(long producerId, String topic) throws IOException {
        return producer(producerId, topic, p -> {});
    }

    String producer(long producerId, String topic, Consumer<CommandProducer> fill) throws IOException {
        sendProducer(producerId, topic, fill);
        return expect(BaseCommand.Type.PRODUCER_SUCCESS).getProducerSuccess().getProducerName();
    }

    void sendProducer(long producerId, String topic, Consumer<CommandProducer> fill) throws IOException {
        send(
                BaseCommand.Type.PRODUCER,
                c -> fill.accept(c.setProducer()
                        .setProducerId(producerId)
                        .setTopic(topic)
                        .setRequestId(1_000 + producerId)));
    }

    void publish(long producerId, long sequenceId, String payload) throws IOException {
        write(WireFrames.send(producerId, sequenceId, payload));
        expect(BaseCommand.Type.SEND_RECEIPT);
    }

    void subscribe(long consumerId, String topic, CommandSubscribe.SubType type) throws IOException {
        sendSubscribe(consumerId, topic, type, s -> {});
        expect(BaseCommand.Type.SUCCESS);
    }

    void sendSubscribe(long consumerId, String topic, CommandSubscribe.SubType type, Consumer<CommandSubscribe> fill)
            throws IOException {
        send(
                BaseCommand.Type.SUBSCRIBE,
                c -> fill.accept(c.setSubscribe()
                        .setConsumerId(consumerId)
                        .setTopic(topic)
                        .setSubscription("sub")
                        .setSubType(type)
                        .setInitialPosition(CommandSubscribe.InitialPosition.Earliest)
                        .setRequestId(2_000 + consumerId)));
    }

    void flow(long consumerId, int permits) throws IOException {
        send(BaseCommand.Type.FLOW, c -> c.setFlow().setConsumerId(consumerId).setMessagePermits(permits));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
