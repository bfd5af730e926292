package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.inspect.ClientSnapshot;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.wire.BaseCommand;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: cuts its bytes into frames and passes each command to the handlers of its group. Owned by
 * the channel's event loop.
 */
final class Session extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    /** What the connections of a server share. */
    record Shared(PublishMemory publishMemory, FrameMemory frameMemory, Complaints complaints) {}

    private final Connection connection;
    private final FrameReader frames;
    private final KeepAlive keepAlive;
    private final Handshake handshake;
    private final LookupCommands lookups;
    private final TopicListCommands lists;
    private final SchemaCommands schemas;
    private final ProducerCommands producers;
    private final ConsumerCommands consumers;
    private final DeliveryCommands deliveries;
    private final SubscriptionCommands subscriptions;
    private final UnsupportedCommands unsupported;
    private final CommandErrors errors;
    private final CommandReader reader = new CommandReader();

    Session(Channel channel, ServerSettings settings, Namespaces namespaces, Shared shared) {
        connection = new Connection(
                channel, settings.limits(), shared.publishMemory(), shared.complaints(), namespaces.memory());
        frames = new FrameReader(channel.alloc(), settings.limits().maxFrameBytes(), shared.frameMemory());
        keepAlive = new KeepAlive(connection, settings.keepAlive());
        handshake = new Handshake(connection);
        lookups = new LookupCommands(connection, namespaces, settings.address(), channel.localAddress());
        lists = new TopicListCommands(connection, namespaces);
        schemas = new SchemaCommands(connection, namespaces.schemas());
        producers = new ProducerCommands(connection, namespaces, settings.keepAlive());
        consumers = new ConsumerCommands(connection, namespaces);
        deliveries = new DeliveryCommands(connection, consumers);
        subscriptions = new SubscriptionCommands(connection, consumers);
        errors = new CommandErrors(connection.replies());
        unsupported = new UnsupportedCommands(connection.replies(), errors);
    }

    Connection connection() {
        return connection;
    }

    ClientSnapshot snapshot() {
        return new ClientSnapshot(
                connection.peer(),
                handshake.clientVersion(),
                connection.lastTopic(),
                producers.open(),
                consumers.open());
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        LOG.debug("{}: connected", connection.peer());
        keepAlive.start();
        connection.admit();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        keepAlive.signOfLife();
        connection.liveness().signOfLife();
        ByteBuf bytes = (ByteBuf) message;
        if (connection.isClosed()) {
            bytes.release();
            return;
        }
        try {
            frames.read(bytes, this::frame);
        } catch (MalformedFrameException e) {
            LOG.debug("{}: malformed frame", connection.peer(), e);
            connection.refuse(String.valueOf(e.getMessage()));
        } catch (BrokerException noRoom) {
            connection.turnAway(Replies.text(noRoom));
        }
        connection.checkOutput();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            connection.gate().open(ReadGate.Reason.OUTPUT);
            consumers.wakeIfWritable();
            lists.writable();
            schemas.writable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        LOG.debug("{}: disconnected", connection.peer());
        keepAlive.stop();
        frames.close();
        producers.connectionLost();
        consumers.connectionLost();
        lists.connectionLost();
        schemas.connectionLost();
        connection.liveness().gone();
        connection.output().close();
        connection.gone();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("{}: connection lost", connection.peer(), cause);
            connection.abort();
        } else {
            connection.fail("an unexpected failure", cause);
        }
    }

    /** Whether more frames are wanted. */
    private boolean frame(ByteBuf frame) throws MalformedFrameException {
        int unknownType = reader.unknownType(frame);
        if (unknownType >= 0) {
            refuseUnknown(unknownType);
        } else if (reader.isSend()) {
            send(reader.readSend(frame), frame);
        } else {
            route(reader.read(frame));
        }
        return !connection.isClosed();
    }

    private void refuseUnknown(int type) {
        LOG.debug("{}: unknown command type {}", connection.peer(), type);
        if (handshake.isDone()) {
            unsupported.refuseUnknown(type);
        } else {
            connection.refuse("a command of unknown type " + type + " came before CONNECT");
        }
    }

    private void send(SendCommand command, ByteBuf message) throws MalformedFrameException {
        if (!handshake.isDone()) {
            handshake.refuseEarly(BaseCommand.Type.SEND);
            return;
        }
        try {
            producers.send(command, message);
        } catch (RuntimeException e) {
            failed(BaseCommand.Type.SEND, e);
        }
    }

    private void route(BaseCommand command) {
        BaseCommand.Type type = command.getType();
        if (!handshake.isDone() && type != BaseCommand.Type.CONNECT) {
            handshake.refuseEarly(type);
            return;
        }
        try {
            if (isWithinLimits(command)) {
                handle(type, command);
            }
        } catch (RuntimeException e) {
            failed(type, e);
        }
    }

    private boolean isWithinLimits(BaseCommand command) {
        try {
            CommandLimits.check(command);
            return true;
        } catch (BrokerException refusal) {
            errors.answer(command, refusal);
            if (!handshake.isDone()) {
                connection.refuse(Replies.text(refusal));
            }
            return false;
        }
    }

    private void failed(BaseCommand.Type type, RuntimeException failure) {
        connection.fail(type + " could not be handled: " + failure.getMessage(), failure);
    }

    private void handle(BaseCommand.Type type, BaseCommand command) {
        switch (type) {
            case ACK -> deliveries.ack(command.getAck());
            case FLOW -> deliveries.flow(command.getFlow());
            case REDELIVER_UNACKNOWLEDGED_MESSAGES ->
                deliveries.redeliver(command.getRedeliverUnacknowledgedMessages());
            case PING -> answerPing();
            case PONG -> LOG.trace("{}: PONG", connection.peer());
            case CONNECT -> handshake.connect(command.getConnect());
            case PARTITIONED_METADATA -> lookups.partitions(command.getPartitionMetadata());
            case LOOKUP -> lookups.lookup(command.getLookupTopic());
            case GET_TOPICS_OF_NAMESPACE -> lists.list(command.getGetTopicsOfNamespace());
            case WATCH_TOPIC_LIST -> lists.watch(command.getWatchTopicList());
            case WATCH_TOPIC_LIST_CLOSE -> lists.close(command.getWatchTopicListClose());
            case GET_SCHEMA -> schemas.get(command.getGetSchema());
            case GET_OR_CREATE_SCHEMA -> schemas.findOrAdd(command.getGetOrCreateSchema());
            case PRODUCER -> producers.open(command.getProducer());
            case CLOSE_PRODUCER -> producers.close(command.getCloseProducer());
            case SUBSCRIBE -> consumers.subscribe(command.getSubscribe());
            case CLOSE_CONSUMER -> consumers.close(command.getCloseConsumer());
            case UNSUBSCRIBE -> consumers.unsubscribe(command.getUnsubscribe());
            case SEEK -> subscriptions.seek(command.getSeek());
            case GET_LAST_MESSAGE_ID -> subscriptions.lastMessageId(command.getGetLastMessageId());
            case CONSUMER_STATS -> subscriptions.stats(command.getConsumerStats());
            default -> unsupported.refuse(command);
        }
    }

    private void answerPing() {
        BaseCommand pong = connection.replies().command(BaseCommand.Type.PONG);
        pong.setPong();
        connection.replies().send(pong);
    }
}
