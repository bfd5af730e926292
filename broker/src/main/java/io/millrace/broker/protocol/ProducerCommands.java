package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.CloseReason;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.inspect.ClientHandle;
import io.millrace.broker.inspect.ClientSnapshot;
import io.millrace.broker.memory.MemoryBudget;
import io.millrace.broker.memory.Weights;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.topic.AccessMode;
import io.millrace.broker.topic.ProducerHandle;
import io.millrace.broker.topic.ProducerOptions;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandCloseProducer;
import io.millrace.wire.CommandProducer;
import io.netty.buffer.ByteBuf;
import io.netty.util.collection.LongObjectHashMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** PRODUCER, SEND and CLOSE_PRODUCER of one connection. Owned by its event loop. */
final class ProducerCommands {
    private static final Logger LOG = LoggerFactory.getLogger(ProducerCommands.class);

    private final Connection connection;
    private final Namespaces namespaces;
    private final PublishedMessage reader = new PublishedMessage();
    private final LongObjectHashMap<SessionProducer> producers = new LongObjectHashMap<>();
    private final Map<SessionProducer, List<Long>> closeRequests = new LinkedHashMap<>();
    private final RecentIds closedByBroker;

    /** @param keepAlive how long a message to a producer that the broker closed may have been on its way */
    ProducerCommands(Connection connection, Namespaces namespaces, Duration keepAlive) {
        this.connection = connection;
        this.namespaces = namespaces;
        closedByBroker = new RecentIds(connection.limits().maxHandles(), keepAlive, System::nanoTime);
    }

    /** What a client asks for: a producer, the subscription that is to be there first, the schema of its messages. */
    private record Wanted(
            TopicName topic,
            ProducerOptions options,
            String subscription,
            @Nullable SchemaContent schema) {}

    void open(CommandProducer command) {
        long requestId = command.getRequestId();
        try {
            TopicName topic = TopicName.parse(command.getTopic());
            ProducerOptions options = options(command);
            if (!isRepeated(command, topic, requestId)) {
                String subscription = command.hasInitialSubscriptionName() ? command.getInitialSubscriptionName() : "";
                SchemaContent schema = command.hasSchema() ? WireSchemas.read(command.getSchema()) : null;
                ClientHandle client = connection.handle(command.getProducerId(), command.getMetadatasList());
                attach(client, requestId, new Wanted(topic, options, subscription, schema));
            }
        } catch (BrokerException refusal) {
            connection.replies().error(requestId, refusal);
        }
    }

    /** Publishes the message that follows the command in its frame. */
    void send(SendCommand command, ByteBuf data) throws MalformedFrameException {
        long producerId = command.producerId();
        long sequenceId = command.sequenceId();
        SessionProducer producer = producers.get(producerId);
        if (producer != null && producer.leaves()) {
            return; // sent before the client hears of it, and sent again then
        }
        if (producer == null || producer.state() != SessionProducer.State.OPEN) {
            refuseUnknown(producerId);
        } else if (command.isTransactional()) {
            producer.refuse(
                    Math.max(sequenceId, command.highestSequenceId()),
                    new BrokerException(ErrorKind.UNSUPPORTED, "transactions are not supported"));
        } else {
            producer.send(sequenceId, command.highestSequenceId(), data, reader);
        }
    }

    void close(CommandCloseProducer command) {
        long requestId = command.getRequestId();
        SessionProducer producer = producers.get(command.getProducerId());
        if (producer == null) {
            connection.replies().success(requestId);
            return;
        }
        connection.inFlight().requested(1);
        closeRequests.computeIfAbsent(producer, p -> new ArrayList<>()).add(requestId);
        boolean opening = producer.state() == SessionProducer.State.OPENING;
        if (producer.closing() && !opening && producer.handle() != null) {
            settled(producer);
        }
    }

    /** Those that the client has open. */
    List<ClientSnapshot.OpenProducer> open() {
        List<ClientSnapshot.OpenProducer> open = new ArrayList<>();
        for (SessionProducer producer : producers.values()) {
            ProducerHandle handle = producer.handle();
            if (producer.state() == SessionProducer.State.OPEN && handle != null) {
                open.add(new ClientSnapshot.OpenProducer(producer.topic(), handle.name()));
            }
        }
        return open;
    }

    /** A closing producer has all its receipts, or is to have no more. */
    void settled(SessionProducer producer) {
        producers.remove(producer.producerId());
        List<Long> requestIds = closeRequests.remove(producer);
        if (producer.leaves() && requestIds == null && !connection.isClosed()) {
            closedByBroker.add(producer.producerId());
            connection.replies().closeProducer(producer.producerId());
        }
        producer.close();
        if (requestIds != null) {
            requestIds.forEach(connection.replies()::success);
            connection.inFlight().answered(requestIds.size());
        }
    }

    void closedByBroker(SessionProducer producer, CloseReason reason) {
        if (producer.state() == SessionProducer.State.CLOSED || producers.get(producer.producerId()) != producer) {
            return;
        }
        if (producer.state() == SessionProducer.State.OPENING) {
            settled(producer);
            return;
        }
        if (producer.state() == SessionProducer.State.OPEN && !connection.isClosed()) {
            LOG.info(
                    "{}: producer {} of {} closed: {}",
                    connection.peer(),
                    producer.producerId(),
                    producer.topic(),
                    reason);
        }
        if (producer.leaving() || !hasReceiptsToCome(producer, reason)) {
            settled(producer);
        }
    }

    /** Whether the topic stores, at once, what this one has under way. */
    private static boolean hasReceiptsToCome(SessionProducer producer, CloseReason reason) {
        return reason != CloseReason.FENCED && !(reason == CloseReason.QUOTA && producer.isThrottled());
    }

    /** The connection has ended: every producer's name is free at once. */
    void connectionLost() {
        for (SessionProducer producer : producers.values()) {
            producer.close();
        }
        producers.clear();
        closeRequests.clear();
    }

    /** Answers a PRODUCER command whose id is taken; false if it is free. */
    private boolean isRepeated(CommandProducer command, TopicName topic, long requestId) {
        SessionProducer producer = producers.get(command.getProducerId());
        if (producer == null) {
            return false;
        }
        ProducerHandle handle = producer.handle();
        if (!producer.topic().equals(topic.full())) {
            throw new BrokerException(
                    ErrorKind.NOT_ALLOWED,
                    "producer id " + command.getProducerId() + " is in use for " + producer.topic());
        }
        if (producer.state() != SessionProducer.State.OPEN || handle == null) {
            throw new BrokerException(
                    ErrorKind.SERVICE_NOT_READY,
                    "producer " + command.getProducerId() + " is " + producer.state() + " already: try again");
        }
        handle.requireWritable(); // a client whose publish was refused asks this way whether to publish it again
        succeeded(requestId, producer, handle);
        return true;
    }

    private void attach(ClientHandle client, long requestId, Wanted wanted) {
        long producerId = client.id();
        TopicName name = wanted.topic;
        ProducerOptions options = wanted.options;
        if (producers.size() >= connection.limits().maxHandles()) {
            throw new BrokerException(
                    ErrorKind.TOO_MANY_REQUESTS,
                    "a connection has at most " + connection.limits().maxHandles() + " producers");
        }
        String given = options.name() == null ? "" : options.name();
        long bytes = Weights.producer(name.full(), given) + Weights.properties(client.metadata());
        connection.requireMemory(MemoryBudget.Kind.PRODUCERS, bytes);
        SessionProducer producer = new SessionProducer(connection, this, client, name.full());
        producer.holds(bytes);
        producers.put(producerId, producer);
        connection.uses(producer.topic());
        connection.inFlight().requested(1);
        CompletableFuture<ProducerHandle> reply = new CompletableFuture<>();
        producer.opening(requestId, reply);
        var unused =
                reply.whenComplete((handle, failure) -> connection.execute(() -> attached(producer, handle, failure)));
        namespaces
                .open(name, true)
                .thenCompose(topic -> namespaces
                        .schemas()
                        .admitProducer(name, wanted.schema)
                        .thenCompose(version -> {
                            producer.schemaVersion(version);
                            return TopicAccess.withSubscription(topic, wanted.subscription);
                        }))
                .whenComplete((topic, failure) -> {
                    if (topic == null) {
                        reply.completeExceptionally(failure == null ? closedMeanwhile(producer) : failure);
                    } else {
                        topic.attach(producer, options, reply);
                    }
                });
    }

    /** Tells the client that its producer waits for its topic: the request is answered, and will be once more. */
    void waiting(SessionProducer producer, String name) {
        if (producer.state() == SessionProducer.State.OPENING) {
            producer.toldToWait();
            BaseCommand command = connection.replies().command(BaseCommand.Type.PRODUCER_SUCCESS);
            command.setProducerSuccess()
                    .setRequestId(producer.openRequestId())
                    .setProducerName(name)
                    .setSchemaVersion(producer.schemaVersion())
                    .setProducerReady(false);
            connection.replies().send(command);
            connection.inFlight().answered(1);
        }
    }

    private void attached(SessionProducer producer, @Nullable ProducerHandle handle, @Nullable Throwable failure) {
        if (handle == null || failure != null) {
            refused(producer, failure);
        } else if (producer.state() == SessionProducer.State.OPENING) {
            producer.opened(handle);
            closedByBroker.remove(producer.producerId());
            succeeded(producer.openRequestId(), producer, handle);
        } else {
            handle.close();
            refused(producer, closedMeanwhile(producer));
        }
        if (!producer.waits()) {
            connection.inFlight().answered(1);
        }
    }

    private void refused(SessionProducer producer, @Nullable Throwable failure) {
        BrokerException refusal = failure == null ? closedMeanwhile(producer) : ErrorCodes.refusal(failure);
        LOG.debug("{}: producer of {} refused", connection.peer(), producer.topic(), refusal);
        boolean leftTheLine = producer.waits() && producer.state() == SessionProducer.State.CLOSING;
        if (!leftTheLine) {
            connection.replies().error(producer.openRequestId(), refusal);
        }
        if (producer.state() != SessionProducer.State.CLOSED) {
            settled(producer);
        }
    }

    private static BrokerException closedMeanwhile(SessionProducer producer) {
        return new BrokerException(
                ErrorKind.SERVICE_NOT_READY, "producer " + producer.producerId() + " was closed before it was open");
    }

    private void succeeded(long requestId, SessionProducer producer, ProducerHandle handle) {
        BaseCommand command = connection.replies().command(BaseCommand.Type.PRODUCER_SUCCESS);
        command.setProducerSuccess()
                .setRequestId(requestId)
                .setProducerName(handle.name())
                .setLastSequenceId(handle.lastSequenceId())
                .setSchemaVersion(producer.schemaVersion())
                .setProducerReady(true);
        if (handle.topicEpoch() != ProducerOptions.NO_TOPIC_EPOCH) {
            command.getProducerSuccess().setTopicEpoch(handle.topicEpoch());
        }
        connection.replies().send(command);
    }

    /**
     * A client may write to a new connection before its producer is open there. An error would make it give up the message;
     * when the connection is closed, it opens the producer on the next one and sends the message again.
     */
    private void refuseUnknown(long producerId) {
        // One that the broker has closed: sent before the client saw that, and sent again when it has opened it again.
        if (!closedByBroker.contains(producerId)) {
            connection.refuse("a message of producer " + producerId + ", which is not open on this connection");
        }
    }

    private static ProducerOptions options(CommandProducer command) {
        if (command.hasTxnEnabled() && command.isTxnEnabled()) {
            throw new BrokerException(ErrorKind.UNSUPPORTED, "transactions are not supported");
        }
        String name = command.hasProducerName() ? command.getProducerName() : "";
        AccessMode mode = switch (command.getProducerAccessMode()) {
            case Shared -> AccessMode.SHARED;
            case Exclusive -> AccessMode.EXCLUSIVE;
            case WaitForExclusive -> AccessMode.WAIT_FOR_EXCLUSIVE;
            case ExclusiveWithFencing -> AccessMode.EXCLUSIVE_WITH_FENCING;
        };
        return new ProducerOptions(
                name.isEmpty() ? null : name,
                !command.isUserProvidedProducerName(),
                command.hasEpoch() ? command.getEpoch() : 0,
                mode,
                command.hasTopicEpoch() ? command.getTopicEpoch() : ProducerOptions.NO_TOPIC_EPOCH);
    }
}
