package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.inspect.ClientHandle;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.Position;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.schema.StoredSchema;
import io.millrace.broker.topic.ProducerHandle;
import io.millrace.broker.topic.ProducerLink;
import io.millrace.broker.topic.PublishRequest;
import io.millrace.streams.graph.Attributes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A producer of a connection.
 *
 * <p><b>Threads</b>: the topic's append stage calls {@link #receipt}, {@link #failed} and {@link #flush}; its control stage
 * {@link #waiting}, {@link #throttled} and {@link #closed}; the producer's own stage {@link #dropped}; the connection's event loop all others.
 * <br><b>Owned</b>: {@code batch} by the append stage, until {@link #flush} hands it to the loop; everything else by the
 * loop.
 * <br><b>Shared</b>: nothing; a batch crosses over through the loop's task queue.
 * <br><b>States</b>: OPENING -> OPEN when the topic took it; OPENING -> CLOSING when the client or the connection left
 * before that; OPEN -> CLOSING when the client or the topic closes it with sends under way; any -> CLOSED when it is given back.
 * <br><b>Proved by</b>: ProducerSessionTest, SessionProducerTest.
 */
final class SessionProducer implements ProducerLink {
    /** The state of a producer. */
    enum State {
        OPENING,
        OPEN,
        CLOSING,
        CLOSED
    }

    private static final int HEAP_BYTES = 1 << 10;

    private final Connection connection;
    private final ProducerCommands owner;
    private final long producerId;
    private final String topic;
    private final ClientHandle client;
    private final PendingSends pending = new PendingSends();
    private State state = State.OPENING;
    private CompletableFuture<ProducerHandle> opening = new CompletableFuture<>();
    private long openRequestId;
    private long schemaVersion = StoredSchema.NO_VERSION;
    private boolean waits;
    /** The topic closes it, and its client is told so behind the receipts that are due. */
    private boolean leaves;
    /** Where its sends are counted until they are answered, also when it is closed. */
    private PublishShare share;

    private long heldBytes;
    private @Nullable ProducerHandle handle;
    private @Nullable StickyKey stickyKey;
    private @Nullable ReceiptBatch batch;
    /** Counts what waits for the rate of its topic; null while that has none. */
    private @Nullable ThrottledSends throttled;

    SessionProducer(Connection connection, ProducerCommands owner, ClientHandle client, String topic) {
        this.connection = connection;
        this.owner = owner;
        this.client = client;
        producerId = client.id();
        this.topic = topic;
        share = connection.publishMemory().unthrottled();
    }

    @Override
    public ClientHandle client() {
        return client;
    }

    @Override
    public Attributes place() {
        return Attributes.dispatcher(connection.channel().eventLoop());
    }

    /** The topic was asked to attach it; this is the reply. */
    void opening(long requestId, CompletableFuture<ProducerHandle> reply) {
        openRequestId = requestId;
        opening = reply;
    }

    /** The bytes of the broker's memory that it takes until it is closed. */
    void holds(long bytes) {
        heldBytes = bytes;
    }

    /** The version of its schema, before the topic is asked to attach it; other threads read it after that. */
    void schemaVersion(long version) {
        schemaVersion = version;
    }

    /** The version of its schema as clients know it. */
    byte[] schemaVersion() {
        return WireSchemas.version(schemaVersion);
    }

    /** The request that opens it. */
    long openRequestId() {
        return openRequestId;
    }

    /** Whether its client knows that it waits. */
    boolean waits() {
        return waits;
    }

    void toldToWait() {
        waits = true;
    }

    long producerId() {
        return producerId;
    }

    String topic() {
        return topic;
    }

    State state() {
        return state;
    }

    /** The producer as the topic knows it; null before it is open. */
    @Nullable
    ProducerHandle handle() {
        return handle;
    }

    void opened(ProducerHandle attached) {
        requireState(State.OPENING);
        state = State.OPEN;
        handle = attached;
        stickyKey = new StickyKey(attached.name());
    }

    /**
     * Accepts no further sends, and no longer waits for the topic; false while earlier sends wait for their receipts.
     */
    boolean closing() {
        state = State.CLOSING;
        withdraw();
        return pending.isEmpty();
    }

    /** The same for the topic: its client sends again what has no receipt when it hears of it. */
    boolean leaving() {
        leaves = true;
        return closing();
    }

    /** Whether the topic has closed it and its client does not know that yet. */
    boolean leaves() {
        return leaves && state == State.CLOSING;
    }

    /** Whether what it has sent waits for the rate of its topic. */
    boolean isThrottled() {
        return throttled != null;
    }

    /** Frees the name; answers that still arrive are not sent, and nothing waits for them. */
    void close() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        connection.memory().change(MemoryBudget.Kind.PRODUCERS, -heldBytes);
        withdraw();
        endThrottle();
        connection.inFlight().answered(pending.forgetRefused());
        connection.inFlight().settled(pending.count(), pending.bytes());
        ProducerHandle attached = handle;
        if (attached != null) {
            attached.close();
        }
    }

    /** Publishes one message, lent to it as the rest of the command's frame. */
    void send(long sequenceId, long highestSequenceId, ByteBuf data, PublishedMessage reader)
            throws MalformedFrameException {
        requireState(State.OPEN);
        ProducerHandle attached = handle;
        StickyKey keys = stickyKey;
        if (attached == null || keys == null) {
            throw new IllegalStateException("producer " + producerId + " is open without a handle");
        }
        EntryHeader header;
        try {
            header = reader.header(data, keys);
        } catch (BrokerException refusal) {
            refuse(Math.max(sequenceId, highestSequenceId), refusal);
            return;
        }
        PublishRequest request = new PublishRequest(sequenceId, highestSequenceId, header, keep(data));
        int bytes = data.readableBytes();
        pending.sent(bytes);
        connection.published(bytes, share);
        if (throttled != null) {
            throttled.sent(pending);
        }
        attached.publish(request);
    }

    /**
     * Answers a send with an error, after the answers to all sends before it.
     *
     * @param sequenceId the number of its last message
     */
    void refuse(long sequenceId, BrokerException refusal) {
        pending.refused(sequenceId, refusal);
        connection.inFlight().requested(1);
        tellRefused();
    }

    /** Writes the answers of one batch. The sends of a closed producer, too, count until their answers arrive. */
    void settle(ReceiptBatch answers) {
        Replies replies = connection.replies();
        boolean isWanted = state != State.CLOSED;
        boolean isRefused = false;
        long bytes = 0;
        for (int i = 0; i < answers.count(); i++) {
            bytes += pending.answered();
            isRefused |= leaves && answers.failure(i) != null;
            if (isWanted && !isRefused && !connection.isClosed()) {
                write(replies, answers, i);
            }
        }
        share.giveBack(bytes);
        if (throttled != null) {
            throttled.answered(pending);
        }
        if (!isWanted) {
            return;
        }
        connection.inFlight().settled(answers.count(), bytes);
        if (state == State.CLOSING && (isRefused || pending.isEmpty())) {
            owner.settled(this);
        }
    }

    @Override
    public void receipt(long sequenceId, long highestSequenceId, Position position) {
        currentBatch().receipt(sequenceId, highestSequenceId, position);
    }

    @Override
    public void failed(long sequenceId, BrokerException failure) {
        currentBatch().failed(sequenceId, failure);
    }

    @Override
    public void flush() {
        ReceiptBatch full = batch;
        if (full != null) {
            batch = null;
            connection.execute(full);
        }
    }

    @Override
    public void dropped(long sequenceId, BrokerException failure) {
        ReceiptBatch alone = new ReceiptBatch(this);
        alone.failed(sequenceId, failure);
        connection.execute(alone);
    }

    @Override
    public void waiting(String name) {
        connection.execute(() -> owner.waiting(this, name));
    }

    @Override
    public void throttled(boolean isThrottled) {
        connection.execute(() -> {
            if (state != State.CLOSED) {
                throttle(isThrottled);
            }
        });
    }

    private void throttle(boolean isThrottled) {
        endThrottle();
        PublishMemory memory = connection.publishMemory();
        PublishShare next = isThrottled ? memory.throttled() : memory.unthrottled();
        next.take(pending.bytes());
        share.giveBack(pending.bytes());
        share = next;
        throttled = isThrottled ? new ThrottledSends(connection.throttledProducers()) : null;
    }

    private void endThrottle() {
        if (throttled != null) {
            throttled.end();
            throttled = null;
        }
    }

    @Override
    public CompletionStage<Boolean> isAlive() {
        return connection.isAlive();
    }

    @Override
    public void closed(CloseReason reason) {
        connection.execute(() -> owner.closedByBroker(this, reason));
    }

    /** Withdraws the request if the topic has not answered yet. */
    private void withdraw() {
        opening.completeExceptionally(new BrokerException(
                ErrorKind.SERVICE_NOT_READY, "producer " + producerId + " was closed before it was open"));
    }

    private void write(Replies replies, ReceiptBatch answers, int i) {
        BrokerException failure = answers.failure(i);
        long sequenceId = answers.sequenceId(i);
        if (failure == null) {
            replies.sendReceipt(
                    producerId, sequenceId, answers.highestSequenceId(i), answers.ledgerId(i), answers.entryId(i));
        } else {
            replies.sendError(producerId, sequenceId, ErrorCodes.code(failure.kind()), Replies.text(failure));
        }
        tellRefused();
    }

    private void tellRefused() {
        PendingSends.Refused due = pending.due();
        while (due != null) {
            BrokerException refusal = due.refusal();
            connection
                    .replies()
                    .sendError(producerId, due.sequenceId(), ErrorCodes.code(refusal.kind()), Replies.text(refusal));
            connection.inFlight().answered(1);
            due = pending.due();
        }
    }

    private ReceiptBatch currentBatch() {
        ReceiptBatch current = batch;
        if (current == null) {
            current = new ReceiptBatch(this);
            batch = current;
        }
        return current;
    }

    /**
     * The data, kept for longer than the frame: copied if a reference would keep much more memory in use. A small copy
     * is on the heap: another thread releases it, and returning a buffer to this thread's pool would cost several times
     * more.
     */
    private ByteBuf keep(ByteBuf data) {
        if (!BackingMemory.overpins(data)) {
            return data.retain();
        }
        int bytes = data.readableBytes();
        if (bytes <= HEAP_BYTES) {
            return Unpooled.wrappedBuffer(ByteBufUtil.getBytes(data));
        }
        return connection.channel().alloc().buffer(bytes, bytes).writeBytes(data, data.readerIndex(), bytes);
    }

    private void requireState(State expected) {
        if (state != expected) {
            throw new IllegalStateException(
                    "producer " + producerId + " must be " + expected + " for this, but is " + state);
        }
    }
}
