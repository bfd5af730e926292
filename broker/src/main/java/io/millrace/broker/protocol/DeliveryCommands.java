package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.AckRequest;
import io.millrace.broker.dispatch.AckRequest.AckedPosition;
import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.DispatcherCommand;
import io.millrace.broker.log.Position;
import io.millrace.wire.CommandAck;
import io.millrace.wire.CommandFlow;
import io.millrace.wire.CommandRedeliverUnacknowledgedMessages;
import io.millrace.wire.MessageIdData;
import io.millrace.wire.ServerError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What open consumers do with messages: FLOW, ACK, REDELIVER. Bounds what waits in the mailboxes of dispatchers: each command
 * counts as unanswered, or is one of a few before the next that does. Owned by the connection's event loop.
 */
final class DeliveryCommands {
    /** After this many commands without an answer, a dispatcher must confirm that it has handled them. */
    private static final int FENCE_INTERVAL = 1_000;
    /** This many message ids count as one command. */
    private static final int IDS_PER_COMMAND = 16;

    private static final AckRequest NOTHING = new AckRequest(AckRequest.Kind.INDIVIDUAL, List.of());

    private final Connection connection;
    private final ConsumerCommands consumers;

    DeliveryCommands(Connection connection, ConsumerCommands consumers) {
        this.connection = connection;
        this.consumers = consumers;
    }

    void flow(CommandFlow command) {
        int permits = command.getMessagePermits();
        if (permits < 0) {
            connection
                    .replies()
                    .error(
                            Replies.NO_REQUEST,
                            ServerError.NotAllowedError,
                            "FLOW of consumer " + command.getConsumerId() + " must not have negative permits, but has "
                                    + permits);
            return;
        }
        SessionConsumer consumer = consumers.find(command.getConsumerId());
        if (consumer != null && permits > 0) {
            consumer.listens();
            consumer.tell(new DispatcherCommand.Flow(consumer, permits));
            fence(consumer, 1);
        }
    }

    void ack(CommandAck command) {
        SessionConsumer consumer = consumers.find(command.getConsumerId());
        if (consumer == null) {
            refuseAck(command, ServerError.ConsumerNotFound, ConsumerCommands.notFound(command.getConsumerId()));
        } else if (command.hasTxnidMostBits() || command.hasTxnidLeastBits()) {
            refuseAck(command, ServerError.NotAllowedError, "transactions are not supported");
        } else if (command.getAckType() == CommandAck.AckType.Cumulative && command.getMessageIdsCount() != 1) {
            refuseAck(
                    command,
                    ServerError.NotAllowedError,
                    "a cumulative ack names one message, not " + command.getMessageIdsCount());
        } else {
            acknowledge(consumer, command);
        }
    }

    void redeliver(CommandRedeliverUnacknowledgedMessages command) {
        SessionConsumer consumer = consumers.find(command.getConsumerId());
        if (consumer == null) {
            return;
        }
        List<Position> positions = new ArrayList<>(command.getMessageIdsCount());
        for (int i = 0; i < command.getMessageIdsCount(); i++) {
            positions.add(position(command.getMessageIdAt(i)));
        }
        long epoch = command.hasConsumerEpoch() ? command.getConsumerEpoch() : -1;
        consumer.tell(new DispatcherCommand.Redeliver(consumer, positions, epoch));
        fence(consumer, weight(positions.size()));
    }

    static Position position(MessageIdData id) {
        return new Position(id.getLedgerId(), id.getEntryId());
    }

    private void acknowledge(SessionConsumer consumer, CommandAck command) {
        List<AckedPosition> positions = new ArrayList<>(command.getMessageIdsCount());
        for (int i = 0; i < command.getMessageIdsCount(); i++) {
            MessageIdData id = command.getMessageIdAt(i);
            positions.add(new AckedPosition(position(id), ackSet(id)));
        }
        AckRequest.Kind kind = command.getAckType() == CommandAck.AckType.Cumulative
                ? AckRequest.Kind.CUMULATIVE
                : AckRequest.Kind.INDIVIDUAL;
        AckRequest request = new AckRequest(kind, positions);
        if (!command.hasRequestId()) {
            consumer.tell(new DispatcherCommand.Ack(consumer, request, null));
            fence(consumer, weight(positions.size()));
            return;
        }
        long requestId = command.getRequestId();
        CompletableFuture<Void> receipt = new CompletableFuture<>();
        consumer.ask(
                receipt,
                weight(positions.size()),
                new DispatcherCommand.Ack(consumer, request, receipt),
                (done, failure) -> acknowledged(consumer, requestId, failure));
    }

    private void acknowledged(SessionConsumer consumer, long requestId, @Nullable Throwable failure) {
        if (failure == null) {
            connection.replies().ackResponse(consumer.consumerId(), requestId, null, "");
        } else {
            BrokerException refusal = ErrorCodes.refusal(failure);
            connection
                    .replies()
                    .ackResponse(
                            consumer.consumerId(), requestId, ErrorCodes.code(refusal.kind()), Replies.text(refusal));
        }
    }

    private void refuseAck(CommandAck command, ServerError code, String text) {
        if (command.hasRequestId()) {
            connection.replies().ackResponse(command.getConsumerId(), command.getRequestId(), code, text);
        }
    }

    static long @Nullable [] ackSet(MessageIdData id) {
        int words = id.getAckSetsCount();
        if (words == 0) {
            return null;
        }
        long[] ackSet = new long[words];
        for (int i = 0; i < words; i++) {
            ackSet[i] = id.getAckSetAt(i);
        }
        return ackSet;
    }

    private static int weight(int messageIds) {
        return 1 + messageIds / IDS_PER_COMMAND;
    }

    /**
     * Counts commands that have no answer. From time to time it sends an empty acknowledgement with a receipt: the
     * commands before it count as unanswered until the dispatcher has handled them and the journal holds their
     * acknowledgements.
     */
    private void fence(SessionConsumer consumer, int weight) {
        int passed = consumer.unfenced(weight);
        if (passed < Math.max(1, FENCE_INTERVAL / consumers.count())) {
            return;
        }
        consumer.fenced();
        CompletableFuture<Void> receipt = new CompletableFuture<>();
        consumer.ask(receipt, passed, new DispatcherCommand.Ack(consumer, NOTHING, receipt), (done, failure) -> {});
    }
}
