package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.inspect.ClientHandle;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.OutOfMemory;
import io.millrace.broker.memory.Weights;
import io.millrace.wire.KeyValue;
import io.millrace.wire.ServerError;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's connection as its command handlers see it. Owned by the channel's event loop; {@link #execute} alone may be
 * called from any thread.
 */
final class Connection {
    /** Output above which a client that does not read is not read either, in bytes. */
    private static final long READ_PAUSE_BYTES = 4L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private final Channel channel;
    private final SessionLimits limits;
    private final String peer;
    private final Output output;
    private final Replies replies;
    private final ReadGate gate;
    private final InFlight inFlight;
    private final ThrottledProducers throttledProducers;
    private final PublishMemory publishMemory;
    private final Complaints complaints;
    private final MemoryBudget memory;
    private final DeliveryWindow window;
    private final LivenessCheck liveness = new LivenessCheck(this);
    private String clientVersion = "";
    private ProtocolVersion protocol = new ProtocolVersion(ProtocolVersion.NEWEST);
    private String lastTopic = "";
    private boolean admitted;
    private boolean draining;
    private boolean closing;

    Connection(
            Channel channel,
            SessionLimits limits,
            PublishMemory publishMemory,
            Complaints complaints,
            MemoryBudget memory) {
        this.channel = channel;
        this.limits = limits;
        this.publishMemory = publishMemory;
        this.complaints = complaints;
        this.memory = memory;
        peer = String.valueOf(channel.remoteAddress());
        output = new Output(channel);
        replies = new Replies(channel, output);
        gate = new ReadGate(channel.config());
        inFlight = new InFlight(gate, limits, this::onIdle);
        throttledProducers = new ThrottledProducers(gate);
        window = new DeliveryWindow(channel.config().getWriteBufferHighWaterMark(), channel::isWritable);
    }

    Channel channel() {
        return channel;
    }

    SessionLimits limits() {
        return limits;
    }

    String peer() {
        return peer;
    }

    /** The client has said what it is, and what it speaks. */
    void named(String version, ProtocolVersion spoken) {
        clientVersion = version;
        protocol = spoken;
    }

    /** What the client speaks; the newest before it has said so. */
    ProtocolVersion protocol() {
        return protocol;
    }

    /** Whose a producer or a consumer of that number is, which is opened now; of a key that comes twice, the last value. */
    ClientHandle handle(long id, List<KeyValue> metadata) {
        Map<String, String> byKey = new HashMap<>();
        metadata.forEach(each -> byKey.put(each.getKey(), each.getValue()));
        return new ClientHandle(id, peer, clientVersion, System.currentTimeMillis(), byKey);
    }

    Output output() {
        return output;
    }

    Replies replies() {
        return replies;
    }

    ReadGate gate() {
        return gate;
    }

    ThrottledProducers throttledProducers() {
        return throttledProducers;
    }

    InFlight inFlight() {
        return inFlight;
    }

    PublishMemory publishMemory() {
        return publishMemory;
    }

    /**
     * Counts a message that was passed to its topic; above the limit of this connection, or of its share of all together,
     * reading stops. What waits for the rates of other connections' topics stops none that has little waiting itself.
     */
    void published(int bytes, PublishShare share) {
        inFlight.published(bytes);
        boolean mayGoOn = share.take(bytes) || (share == publishMemory.throttled() && throttledProducers.hasLittle());
        if (!mayGoOn && gate.shut(share.reason())) {
            share.whenRoom(() -> execute(() -> gate.open(share.reason())));
        }
    }

    /** The client asks to open a producer or a consumer of that topic. */
    void uses(String topic) {
        lastTopic = topic;
    }

    /** The topic that it asked for last, to open a producer or a consumer; empty if it never did. */
    String lastTopic() {
        return lastTopic;
    }

    LivenessCheck liveness() {
        return liveness;
    }

    /** The same question from any thread. */
    CompletionStage<Boolean> isAlive() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        boolean isAsked = execute(() -> {
            var unused = liveness.ask().thenAccept(answer::complete);
        });
        if (!isAsked) {
            answer.complete(false);
        }
        return answer;
    }

    /** Asks whether the client is alive, if it has not taken the bytes it was sent. */
    void askIfFull() {
        if (!channel.isWritable()) {
            var unused = liveness.ask();
        }
    }

    /** What clients may make the broker hold. */
    MemoryBudget memory() {
        return memory;
    }

    /**
     * Takes this many bytes of the broker's memory for something that a client asks for.
     *
     * @throws BrokerException of kind TOO_MANY_REQUESTS, naming the limit, if there is no room for it
     */
    void requireMemory(MemoryBudget.Kind kind, long bytes) {
        if (!memory.tryTake(kind, bytes)) {
            memory.warn(kind);
            throw new BrokerException(ErrorKind.TOO_MANY_REQUESTS, memory.refusal(kind));
        }
    }

    /** Counts the connection's memory; closes it, with an error, if there is no memory for one more. */
    void admit() {
        admitted = memory.tryTake(MemoryBudget.Kind.CONNECTIONS, Weights.CONNECTION);
        if (!admitted) {
            turnAway(memory.refusal(MemoryBudget.Kind.CONNECTIONS));
        }
    }

    /** The connection has ended: gives back the memory that it held. */
    void gone() {
        if (admitted) {
            admitted = false;
            memory.change(MemoryBudget.Kind.CONNECTIONS, -Weights.CONNECTION);
        }
    }

    /** Closes the connection, with an error, because memory is short. */
    void turnAway(String reason) {
        replies.error(Replies.NO_REQUEST, ServerError.TooManyRequests, reason);
        complain(Complaints.Kind.NO_ROOM, reason, null);
        flushAndClose();
    }

    DeliveryWindow window() {
        return window;
    }

    /** Whether nothing more is read or sent. */
    boolean isClosed() {
        return closing || !channel.isActive();
    }

    /**
     * Hands a task to the event loop; false if that has ended, with the whole server. A task that fails ends the
     * connection: otherwise its client would wait for an answer that never comes.
     */
    boolean execute(Runnable task) {
        try {
            channel.eventLoop().execute(() -> runOrAbort(task));
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("{}: an answer came after the end of the event loop", peer, e);
            return false;
        }
    }

    private void runOrAbort(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            fail("an unexpected failure", e);
        }
    }

    /**
     * Closes the connection because of an error of the client, after all that was written has been sent; {@link
     * KeepAlive} ends it if the client does not take that.
     */
    void refuse(String reason) {
        if (!isClosed()) {
            complain(Complaints.Kind.BAD_INPUT, reason, null);
            flushAndClose();
        }
    }

    /** Stops reading, waits for the answers that are due, then closes. */
    void drainAndClose() {
        draining = true;
        gate.shut(ReadGate.Reason.CLOSING);
        onIdle();
    }

    void flushAndClose() {
        if (!closing) {
            closing = true;
            gate.shut(ReadGate.Reason.CLOSING);
            output.flushAndClose();
        }
    }

    /** Closes the connection at once, without sending the rest, because the client is gone. */
    void abort(String reason) {
        complain(Complaints.Kind.SILENCE, reason, null);
        abort();
    }

    /** Closes the connection at once, without sending the rest, because of an error of the broker. */
    void fail(String what, Throwable failure) {
        OutOfMemory.tell(failure);
        complain(Complaints.Kind.FAILURE, what, failure);
        abort();
    }

    private void complain(Complaints.Kind kind, String text, @Nullable Throwable cause) {
        complaints.tell(channel.remoteAddress(), kind, text, cause);
    }

    /** Closes the connection at once, without sending the rest. */
    void abort() {
        closing = true;
        ChannelFuture unused = channel.close();
    }

    /** Stops reading while too much output waits for the client; reading goes on when the channel is writable. */
    void checkOutput() {
        if (!channel.isWritable() && pendingOutputBytes() > READ_PAUSE_BYTES) {
            gate.shut(ReadGate.Reason.OUTPUT);
        }
    }

    /** Bytes written and not yet taken by the socket, also those of large messages. */
    long pendingOutputBytes() {
        var buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }

    private void onIdle() {
        if (draining && inFlight.isIdle()) {
            flushAndClose();
        }
    }
}
