package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.dispatch.DispatcherStats;
import io.millrace.broker.dispatch.DispatcherStats.ConsumerStats;
import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.dispatch.SeekTarget;
import io.millrace.broker.inspect.ClientHandle;
import io.millrace.broker.inspect.TimeText;
import io.millrace.broker.topic.LastMessage;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandConsumerStats;
import io.millrace.wire.CommandConsumerStatsResponse;
import io.millrace.wire.CommandGetLastMessageId;
import io.millrace.wire.CommandGetLastMessageIdResponse;
import io.millrace.wire.CommandSeek;
import io.millrace.wire.MessageIdData;
import io.millrace.wire.ServerError;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The requests of consumers to their subscription: SEEK, GET_LAST_MESSAGE_ID, CONSUMER_STATS. Owned by the event loop.
 */
final class SubscriptionCommands {
    private final Connection connection;
    private final ConsumerCommands consumers;

    SubscriptionCommands(Connection connection, ConsumerCommands consumers) {
        this.connection = connection;
        this.consumers = consumers;
    }

    /** The dispatcher closes its consumers, then replies: the client sees CLOSE_CONSUMER, then SUCCESS, and reconnects. */
    void seek(CommandSeek command) {
        long requestId = command.getRequestId();
        SessionConsumer consumer = consumers.findFor(command.getConsumerId(), requestId);
        SeekTarget target = target(command);
        if (consumer == null) {
            return;
        }
        if (target == null) {
            connection
                    .replies()
                    .error(requestId, ServerError.NotAllowedError, "a SEEK names a message id or a publish time");
            return;
        }
        CompletableFuture<Void> reply = new CompletableFuture<>();
        consumer.ask(reply, 1, new DispatcherCommand.Seek(target, reply), (done, failure) -> {
            if (failure == null) {
                connection.replies().success(requestId);
            } else {
                connection.replies().error(requestId, ErrorCodes.refusal(failure));
            }
        });
    }

    void lastMessageId(CommandGetLastMessageId command) {
        long requestId = command.getRequestId();
        SessionConsumer consumer = consumers.findFor(command.getConsumerId(), requestId);
        if (consumer == null) {
            return;
        }
        CompletableFuture<DispatcherStats> stats = new CompletableFuture<>();
        CompletableFuture<LastMessage> last = consumer.lastMessage().toCompletableFuture();
        CompletableFuture<LastPosition> reply = stats.thenCombine(last, LastPosition::new);
        consumer.ask(reply, 1, new DispatcherCommand.Stats(stats), (position, failure) -> {
            if (position != null) {
                answer(requestId, consumer.topic().name().partition(), position);
            } else {
                connection.replies().error(requestId, ErrorCodes.refusal(present(failure)));
            }
        });
    }

    void stats(CommandConsumerStats command) {
        long requestId = command.getRequestId();
        long consumerId = command.getConsumerId();
        SessionConsumer consumer = consumers.find(consumerId);
        if (consumer == null) {
            refuseStats(requestId, ServerError.ConsumerNotFound, ConsumerCommands.notFound(consumerId));
            return;
        }
        CompletableFuture<DispatcherStats> reply = new CompletableFuture<>();
        consumer.ask(reply, 1, new DispatcherCommand.Stats(reply), (stats, failure) -> {
            if (stats != null) {
                answer(requestId, consumer, stats);
            } else {
                BrokerException refusal = ErrorCodes.refusal(present(failure));
                refuseStats(requestId, ErrorCodes.code(refusal.kind()), Replies.text(refusal));
            }
        });
    }

    private record LastPosition(DispatcherStats stats, LastMessage last) {}

    private void answer(long requestId, int partition, LastPosition position) {
        BaseCommand command = connection.replies().command(BaseCommand.Type.GET_LAST_MESSAGE_ID_RESPONSE);
        CommandGetLastMessageIdResponse response = command.setGetLastMessageIdResponse();
        response.setRequestId(requestId);
        Replies.fill(response.setLastMessageId(), position.last().position())
                .setPartition(partition) // clients compare it with that of the messages
                .setBatchIndex(position.last().batchIndex());
        Replies.fill(response.setConsumerMarkDeletePosition(), position.stats().markDelete());
        connection.replies().send(command);
    }

    /** The figures are those of the consumer itself: others of the subscription may have its number on their connections. */
    @SuppressWarnings("ReferenceEquality") // another one's handle may be equal
    private void answer(long requestId, SessionConsumer asked, DispatcherStats stats) {
        BaseCommand command = connection.replies().command(BaseCommand.Type.CONSUMER_STATS_RESPONSE);
        CommandConsumerStatsResponse response = command.setConsumerStatsResponse();
        ClientHandle client = asked.client();
        response.setRequestId(requestId)
                .setType(stats.type().pulsarName())
                .setAddress(client.address())
                .setConnectedSince(TimeText.of(client.openedMillis()))
                .setMsgRateExpired(0)
                .setMsgBacklog(stats.backlogEntries());
        for (ConsumerStats consumer : stats.consumers()) {
            if (consumer.client() == client) {
                fill(response, consumer);
            }
        }
        connection.replies().send(command);
    }

    private static void fill(CommandConsumerStatsResponse response, ConsumerStats consumer) {
        response.setConsumerName(consumer.name())
                .setAvailablePermits(consumer.permits())
                .setUnackedMessages(consumer.unackedMessages())
                .setBlockedConsumerOnUnackedMsgs(consumer.blockedOnUnacked())
                .setMsgRateOut(consumer.rates().messages())
                .setMsgThroughputOut(consumer.rates().bytes())
                .setMsgRateRedeliver(consumer.rates().redelivered())
                .setMessageAckRate(consumer.rates().acknowledged());
    }

    private void refuseStats(long requestId, ServerError code, String text) {
        BaseCommand command = connection.replies().command(BaseCommand.Type.CONSUMER_STATS_RESPONSE);
        command.setConsumerStatsResponse()
                .setRequestId(requestId)
                .setErrorCode(code)
                .setErrorMessage(text);
        connection.replies().send(command);
    }

    private static @Nullable SeekTarget target(CommandSeek command) {
        if (command.hasMessageId()) {
            MessageIdData id = command.getMessageId();
            return new SeekTarget.ToPosition(DeliveryCommands.position(id), DeliveryCommands.ackSet(id));
        }
        return command.hasMessagePublishTime() ? new SeekTarget.ToTime(command.getMessagePublishTime()) : null;
    }

    private static Throwable present(@Nullable Throwable failure) {
        return failure == null
                ? new BrokerException(ErrorKind.SERVICE_NOT_READY, "there was no answer and no failure")
                : failure;
    }
}
