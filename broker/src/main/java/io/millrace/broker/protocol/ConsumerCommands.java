package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.inspect.ClientHandle;
import io.millrace.broker.inspect.ClientSnapshot;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.Weights;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.SchemaType;
import io.millrace.broker.topic.SubscriptionHandle;
import io.millrace.broker.topic.Topic;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandCloseConsumer;
import io.millrace.wire.CommandSubscribe;
import io.millrace.wire.CommandUnsubscribe;
import io.millrace.wire.ServerError;
import io.netty.util.collection.LongObjectHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The consumers of one connection: SUBSCRIBE and CLOSE_CONSUMER. Owned by its event loop. */
final class ConsumerCommands {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerCommands.class);

    private final Connection connection;
    private final Namespaces namespaces;
    private final MessageWriter writer;
    private final LongObjectHashMap<SessionConsumer> consumers = new LongObjectHashMap<>();

    ConsumerCommands(Connection connection, Namespaces namespaces) {
        this.connection = connection;
        this.namespaces = namespaces;
        writer = new MessageWriter(
                connection.channel(),
                connection.output(),
                () -> connection.protocol().takesChecksums());
    }

    MessageWriter writer() {
        return writer;
    }

    void subscribe(CommandSubscribe command) {
        long requestId = command.getRequestId();
        try {
            if (!isRepeated(command)) {
                SchemaContent schema = command.hasSchema() ? WireSchemas.read(command.getSchema()) : null;
                ClientHandle client = connection.handle(command.getConsumerId(), command.getMetadatasList());
                attach(Subscribing.parse(command, connection.peer()), client, schema, requestId);
            } else {
                connection.replies().success(requestId);
            }
        } catch (BrokerException refusal) {
            connection.replies().error(requestId, refusal);
        }
    }

    /** Those that the client has open. */
    List<ClientSnapshot.OpenConsumer> open() {
        List<ClientSnapshot.OpenConsumer> open = new ArrayList<>();
        for (SessionConsumer consumer : consumers.values()) {
            if (consumer.state() == SessionConsumer.State.OPEN) {
                open.add(consumer.snapshot());
            }
        }
        return open;
    }

    /** How many consumers the connection has, also those that are opening. */
    int count() {
        return consumers.size();
    }

    /** The open consumer of this id; null if there is none. */
    @Nullable
    SessionConsumer find(long consumerId) {
        SessionConsumer consumer = consumers.get(consumerId);
        return consumer != null && consumer.state() == SessionConsumer.State.OPEN ? consumer : null;
    }

    /** The open consumer of this id; null if there is none, and then the request is answered with an error. */
    @Nullable
    SessionConsumer findFor(long consumerId, long requestId) {
        SessionConsumer consumer = find(consumerId);
        if (consumer == null) {
            connection.replies().error(requestId, ServerError.ConsumerNotFound, notFound(consumerId));
        }
        return consumer;
    }

    static String notFound(long consumerId) {
        return "no consumer with id " + consumerId + " is open on this connection";
    }

    void unsubscribe(CommandUnsubscribe command) {
        long requestId = command.getRequestId();
        SessionConsumer consumer = findFor(command.getConsumerId(), requestId);
        if (consumer == null) {
            return;
        }
        CompletableFuture<Void> reply = new CompletableFuture<>();
        consumer.ask(
                reply,
                1,
                new DispatcherCommand.Unsubscribe(consumer, command.isForce(), reply),
                (done, failure) -> unsubscribed(consumer, requestId, failure));
    }

    void close(CommandCloseConsumer command) {
        SessionConsumer consumer = consumers.get(command.getConsumerId());
        if (consumer != null && consumer.state() == SessionConsumer.State.OPENING) {
            consumer.leaving();
        } else if (consumer != null && consumer.state() == SessionConsumer.State.OPEN) {
            consumers.remove(consumer.consumerId());
            consumer.detach();
        }
        connection.replies().success(command.getRequestId());
    }

    void closedByBroker(SessionConsumer consumer, CloseReason reason) {
        if (consumer.state() == SessionConsumer.State.CLOSED) {
            return;
        }
        LOG.info("{}: {} closed: {}", connection.peer(), consumer.describe(), reason);
        if (consumer.state() == SessionConsumer.State.OPEN && !connection.isClosed()) {
            connection.replies().closeConsumer(consumer.consumerId());
        }
        remove(consumer);
        if (reason != CloseReason.SEEK) {
            consumer.failAsked(
                    new BrokerException(ErrorKind.SERVICE_NOT_READY, consumer.describe() + " was closed: " + reason));
        }
    }

    /** The connection has ended: its consumers are detached at once. */
    void connectionLost() {
        for (SessionConsumer consumer : consumers.values()) {
            consumer.detach();
        }
        consumers.clear();
    }

    /** Tells a client that knows the command. */
    void sendActiveChange(long consumerId, boolean active) {
        if (!connection.protocol().knowsActiveChanges()) {
            return;
        }
        BaseCommand command = connection.replies().command(BaseCommand.Type.ACTIVE_CONSUMER_CHANGE);
        command.setActiveConsumerChange().setConsumerId(consumerId).setIsActive(active);
        connection.replies().send(command);
    }

    /** Tells a client that knows the command. */
    void sendEndOfTopic(long consumerId) {
        if (!connection.protocol().knowsEndOfTopic()) {
            return;
        }
        BaseCommand command = connection.replies().command(BaseCommand.Type.REACHED_END_OF_TOPIC);
        command.setReachedEndOfTopic().setConsumerId(consumerId);
        connection.replies().send(command);
    }

    /** When the connection is writable again, tells every dispatcher that found it full. */
    void wakeIfWritable() {
        if (connection.window().reopened()) {
            for (SessionConsumer consumer : consumers.values()) {
                if (consumer.state() == SessionConsumer.State.OPEN) {
                    consumer.tell(new DispatcherCommand.Writable());
                }
            }
        }
    }

    /** Whether the client asks again for a consumer that it has; refused while that is still opening. */
    private boolean isRepeated(CommandSubscribe command) {
        SessionConsumer consumer = consumers.get(command.getConsumerId());
        if (consumer == null) {
            return false;
        }
        if (consumer.state() != SessionConsumer.State.OPEN) {
            throw new BrokerException(
                    ErrorKind.SERVICE_NOT_READY,
                    consumer.describe() + " is " + consumer.state() + " already: try again");
        }
        if (!consumer.describe()
                .equals(Subscribing.parse(command, connection.peer()).description())) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED,
                    "consumer id " + command.getConsumerId() + " is in use for " + consumer.describe());
        }
        return true;
    }

    private void attach(Subscribing wanted, ClientHandle client, @Nullable SchemaContent schema, long requestId) {
        if (consumers.size() >= connection.limits().maxHandles()) {
            throw new BrokerException(
                    ErrorKind.TOO_MANY_REQUESTS,
                    "a connection has at most " + connection.limits().maxHandles() + " consumers");
        }
        long bytes = wanted.weight() + Weights.properties(client.metadata());
        connection.requireMemory(MemoryBudget.Kind.CONSUMERS, bytes);
        SessionConsumer consumer =
                new SessionConsumer(connection, this, client, wanted.description(), wanted.consumerEpoch());
        consumer.holds(bytes);
        consumer.takesAnySchema(schema != null && schema.type() == SchemaType.AUTO_CONSUME);
        consumer.hearsCounts(!wanted.consumer().type().singleActive());
        consumers.put(wanted.consumerId(), consumer);
        connection.uses(wanted.topic().full());
        connection.inFlight().requested(1);
        namespaces
                .open(wanted.topic(), wanted.createTopic())
                .thenCompose(topic -> namespaces
                        .schemas()
                        .admitConsumer(wanted.topic(), schema, topic::isUnused)
                        .thenCompose(admitted -> topic.subscribe(wanted.request(consumer)))
                        .thenAccept(handle -> connection.execute(() -> attached(consumer, requestId, topic, handle))))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        connection.execute(() -> refused(consumer, requestId, failure));
                    }
                });
    }

    private void attached(SessionConsumer consumer, long requestId, Topic topic, SubscriptionHandle handle) {
        if (consumer.state() == SessionConsumer.State.OPENING) {
            consumer.opened(topic, handle);
            opened(consumer, requestId);
        } else {
            handle.tell(new DispatcherCommand.Detach(consumer));
            remove(consumer);
            connection
                    .replies()
                    .error(
                            requestId,
                            new BrokerException(
                                    ErrorKind.SERVICE_NOT_READY,
                                    consumer.describe() + " was closed before it was open"));
        }
        connection.inFlight().answered(1);
    }

    private void opened(SessionConsumer consumer, long requestId) {
        connection.replies().success(requestId);
        if (consumer.endedBeforeOpen()) {
            sendEndOfTopic(consumer.consumerId());
        }
    }

    private void refused(SessionConsumer consumer, long requestId, Throwable failure) {
        BrokerException refusal = ErrorCodes.refusal(failure);
        LOG.debug("{}: {} refused", connection.peer(), consumer.describe(), refusal);
        remove(consumer);
        connection.replies().error(requestId, refusal);
        connection.inFlight().answered(1);
    }

    private void unsubscribed(SessionConsumer consumer, long requestId, @Nullable Throwable failure) {
        if (failure != null) {
            BrokerException refusal = ErrorCodes.refusal(failure);
            connection.replies().error(requestId, refusal);
            boolean isAttached = refusal.kind() == ErrorKind.CONSUMER_BUSY || consumer.isUnsubscribing();
            if (!isAttached && consumer.state() == SessionConsumer.State.OPEN) {
                consumer.tell(new DispatcherCommand.Detach(consumer)); // if that has not let go of it already
                closedByBroker(consumer, CloseReason.FAILED);
            }
            return;
        }
        remove(consumer);
        connection.replies().success(requestId);
        consumer.failAsked(
                new BrokerException(ErrorKind.SUBSCRIPTION_NOT_FOUND, consumer.describe() + " is unsubscribed"));
    }

    private void remove(SessionConsumer consumer) {
        consumer.detached();
        if (consumers.get(consumer.consumerId()) == consumer) {
            consumers.remove(consumer.consumerId());
        }
    }
}
