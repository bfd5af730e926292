package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ConsumerLink;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.inspect.ClientHandle;
import io.millrace.broker.inspect.ClientSnapshot;
import io.millrace.broker.log.Entry;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.topic.LastMessage;
import io.millrace.broker.topic.SubscriptionHandle;
import io.millrace.broker.topic.Topic;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a connection.
 *
 * <p><b>Threads</b>: the dispatcher's island calls the methods of ConsumerLink; the connection's event loop all others.
 * <br><b>Owned</b>: {@code batch} and {@code consumerEpoch} by the island, a batch until {@link #flush} hands it to the
 * loop; everything else by the loop.
 * <br><b>Shared</b>: the connection's {@link DeliveryWindow}. A batch crosses over through the loop's task queue.
 * <br><b>States</b>: OPENING -> OPEN when the dispatcher admitted it; OPENING -> LEAVING when the client closed it
 * before that; any -> CLOSED when it is detached, from either side. Entries for a CLOSED one are released, not sent.
 * <br><b>Proved by</b>: ConsumerSessionTest, SessionConsumerTest.
 */
final class SessionConsumer implements ConsumerLink {
    /** The state of a consumer. */
    enum State {
        OPENING,
        OPEN,
        LEAVING,
        CLOSED
    }

    /** For how long its first FLOW is waited for before it is told whether it is active; as long as Pulsar takes. */
    private static final long PATIENCE_MILLIS = 1_000;

    private final Connection connection;
    private final ConsumerCommands owner;
    private final long consumerId;
    private final String description;
    private final ClientHandle client;
    private final Set<Question> unanswered = new HashSet<>();
    private State state = State.OPENING;
    private @Nullable Topic topic;
    private @Nullable SubscriptionHandle handle;
    /** Whether its client listens: some drop what they are told of a consumer before they have made it. */
    private boolean listens;
    /** Whether it is active, which its client has yet to be told; null if there is nothing to tell. */
    private @Nullable Boolean untold;

    private @Nullable Future<?> telling;
    private boolean endedBeforeOpen;
    /** Ends its registration at the dispatcher, which lives longer and would keep this object in memory. */
    private Runnable stopWatching = () -> {};

    private @Nullable DeliveryBatch batch;
    private int unfencedCommands;
    private long islandEpoch;
    private long heldBytes;
    private boolean takesAnySchema;
    private boolean hearsCounts = true;
    private int partition;

    SessionConsumer(
            Connection connection,
            ConsumerCommands owner,
            ClientHandle client,
            String description,
            long consumerEpoch) {
        this.connection = connection;
        this.owner = owner;
        this.client = client;
        consumerId = client.id();
        this.description = description;
        islandEpoch = consumerEpoch;
    }

    @Override
    public ClientHandle client() {
        return client;
    }

    long consumerId() {
        return consumerId;
    }

    /** The bytes of the broker's memory that it takes until it is detached. */
    void holds(long bytes) {
        heldBytes = bytes;
    }

    /** Whether its client looks up the schema of each message; told before it is attached. */
    void takesAnySchema(boolean takesAny) {
        takesAnySchema = takesAny;
    }

    /**
     * Whether its client hears how often a message was delivered before; told before it is attached. With Pulsar those
     * of Shared and Key_Shared do. Others that hear of more than their dead letter policy allows ask for everything
     * again, instead of handing out the message, and without an end.
     */
    void hearsCounts(boolean hears) {
        hearsCounts = hears;
    }

    @Override
    public boolean takesAnySchema() {
        return takesAnySchema;
    }

    State state() {
        return state;
    }

    void opened(Topic itsTopic, SubscriptionHandle attached) {
        state = State.OPEN;
        topic = itsTopic;
        partition = itsTopic.name().partition();
        handle = attached;
        if (untold != null) {
            tellLater();
        }
    }

    /** Its client has made it, as its first FLOW shows: it is told from now on whether it is active. */
    void listens() {
        if (!listens) {
            listens = true;
            if (telling != null) {
                telling.cancel(false);
            }
            Boolean active = untold;
            if (active != null && state == State.OPEN) {
                owner.sendActiveChange(consumerId, active);
            }
        }
    }

    /** The client closed it while it was opening. */
    void leaving() {
        state = State.LEAVING;
    }

    /** Its topic; only while it is OPEN. */
    Topic topic() {
        return present(topic);
    }

    /** The last message of the topic that it is attached to; only while it is OPEN. */
    CompletionStage<LastMessage> lastMessage() {
        return present(handle).lastMessage();
    }

    /** What it is; only while it is OPEN. */
    ClientSnapshot.OpenConsumer snapshot() {
        return new ClientSnapshot.OpenConsumer(
                present(topic).name().full(), present(handle).subscription(), description);
    }

    void tell(DispatcherCommand command) {
        present(handle).tell(command);
    }

    /**
     * Asks the dispatcher. The answer comes on the event loop, once, even if the dispatcher ends before.
     *
     * @param reply the future that the question carries, or one that depends on it
     * @param weight how many unanswered commands it counts as until then
     */
    <T> void ask(
            CompletableFuture<T> reply,
            int weight,
            DispatcherCommand question,
            BiConsumer<@Nullable T, @Nullable Throwable> answer) {
        connection.inFlight().requested(weight);
        Question asked = new Question(reply, !(question instanceof DispatcherCommand.Unsubscribe));
        unanswered.add(asked);
        CompletionStage<T> stage = reply;
        stage.whenComplete((value, failure) -> connection.execute(() -> {
            unanswered.remove(asked);
            answer.accept(value, failure);
            connection.inFlight().answered(weight);
            if (unanswered.isEmpty()) {
                stopWatching.run();
            }
        }));
        tell(question);
    }

    /** Whether it was asked to unsubscribe, and that is not answered yet. */
    boolean isUnsubscribing() {
        return unanswered.stream().anyMatch(question -> !question.isForDispatcher);
    }

    /** Counts commands that have no answer; returns how many there were since the last fence. */
    int unfenced(int weight) {
        unfencedCommands += weight;
        return unfencedCommands;
    }

    void fenced() {
        unfencedCommands = 0;
    }

    /** Fails every question that has no answer yet. */
    void failAsked(BrokerException failure) {
        for (Question question : List.copyOf(unanswered)) {
            question.reply.completeExceptionally(failure);
        }
    }

    /** Detaches from the dispatcher, which sends this consumer's entries to others. */
    void detach() {
        SubscriptionHandle attached = handle;
        if (attached != null && state != State.CLOSED) {
            attached.tell(new DispatcherCommand.Detach(this));
        }
        detached();
    }

    /** The dispatcher has detached it and will not report its end: questions asked before are still answered. */
    void detached() {
        SubscriptionHandle attached = handle;
        if (attached != null && state != State.CLOSED && !unanswered.isEmpty()) {
            stopWatching = attached.dispatcher().onTermination(() -> connection.execute(this::failLeftToDispatcher));
        }
        state = State.CLOSED;
        if (telling != null) {
            telling.cancel(false);
        }
        connection.memory().change(MemoryBudget.Kind.CONSUMERS, -heldBytes);
        heldBytes = 0;
    }

    private void failLeftToDispatcher() {
        for (Question question : List.copyOf(unanswered)) {
            if (question.isForDispatcher) {
                question.reply.completeExceptionally(new BrokerException(
                        ErrorKind.SERVICE_NOT_READY, description + " left, and then its subscription ended"));
            }
        }
    }

    /** Writes a batch of entries, or releases them if the consumer is closed. */
    void write(DeliveryBatch delivered) {
        connection.window().written(delivered.bytes());
        if (state == State.OPEN && !connection.isClosed()) {
            owner.writer().write(consumerId, partition, delivered);
        } else {
            delivered.discard();
        }
        owner.wakeIfWritable();
    }

    /** Whether it had everything of a topic that is at its end before the client knew that it is open. */
    boolean endedBeforeOpen() {
        return endedBeforeOpen;
    }

    @Override
    public void deliver(Entry entry, int redeliveryCount, long @Nullable [] ackSet) {
        DeliveryBatch current = batch;
        if (current == null) {
            current = new DeliveryBatch(this, islandEpoch);
            batch = current;
        }
        connection.window().handed(current.add(entry, hearsCounts ? redeliveryCount : 0, ackSet));
    }

    @Override
    public void flush() {
        DeliveryBatch full = batch;
        if (full != null) {
            batch = null;
            if (!connection.execute(full)) {
                full.discard();
            }
        }
    }

    @Override
    public void activeChanged(boolean active) {
        flush();
        connection.execute(() -> activeChangedOnLoop(active));
    }

    @Override
    public void reachedEnd() {
        flush();
        connection.execute(() -> {
            if (state == State.OPENING) {
                endedBeforeOpen = true;
            } else if (state == State.OPEN) {
                owner.sendEndOfTopic(consumerId);
            }
        });
    }

    @Override
    public void rewound(long consumerEpoch) {
        flush();
        islandEpoch = consumerEpoch;
    }

    @Override
    public CompletionStage<Boolean> isAlive() {
        return connection.isAlive();
    }

    @Override
    public void closed(CloseReason reason) {
        flush();
        connection.execute(() -> owner.closedByBroker(this, reason));
    }

    @Override
    public boolean isWritable() {
        return connection.window().isWritable();
    }

    @Override
    public String describe() {
        return description;
    }

    private void activeChangedOnLoop(boolean active) {
        if (listens && state == State.OPEN) {
            owner.sendActiveChange(consumerId, active);
            return;
        }
        untold = active;
        if (telling == null && state == State.OPEN) {
            tellLater();
        }
    }

    /** One whose client asks for no message yet is told after a while. */
    private void tellLater() {
        telling = connection.channel().eventLoop().schedule(this::listens, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private <T> T present(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException(description + " is " + state + ", but must be OPEN for this");
        }
        return part;
    }

    /** One question, compared by identity. */
    private static final class Question {
        private final CompletableFuture<?> reply;
        private final boolean isForDispatcher;

        Question(CompletableFuture<?> reply, boolean isForDispatcher) {
            this.reply = reply;
            this.isForDispatcher = isForDispatcher;
        }
    }
}
