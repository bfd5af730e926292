package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.log.Position;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAckResponse;
import io.millrace.wire.CommandLookupTopicResponse;
import io.millrace.wire.CommandPartitionedTopicMetadataResponse;
import io.millrace.wire.MessageIdData;
import io.millrace.wire.ServerError;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** Writes commands to a connection. Owned by its event loop. */
final class Replies {
    /** The request id of an error that answers a command without one. */
    static final long NO_REQUEST = -1;

    private static final int MAX_TEXT_CHARS = 2_000;

    private final Channel channel;
    private final Output output;
    private final BaseCommand scratch = new BaseCommand();
    private final ReceiptFrame receipt = new ReceiptFrame();

    Replies(Channel channel, Output output) {
        this.channel = channel;
        this.output = output;
    }

    /** The one command object, cleared but for its type: fill it and {@link #send} it before the next call. */
    BaseCommand command(BaseCommand.Type type) {
        return scratch.clear().setType(type);
    }

    /** Writes a command as a frame of its own; to a closed connection, does nothing. */
    void send(BaseCommand command) {
        if (!channel.isActive()) {
            return;
        }
        int commandBytes = command.getSerializedSize();
        ByteBuf frame = output.room(2 * Integer.BYTES + commandBytes);
        frame.writeInt(Integer.BYTES + commandBytes);
        frame.writeInt(commandBytes);
        command.writeTo(frame);
    }

    void success(long requestId) {
        BaseCommand command = command(BaseCommand.Type.SUCCESS);
        command.setSuccess().setRequestId(requestId);
        send(command);
    }

    void error(long requestId, BrokerException refusal) {
        error(requestId, ErrorCodes.code(refusal.kind()), text(refusal));
    }

    void error(long requestId, ServerError code, String text) {
        BaseCommand command = command(BaseCommand.Type.ERROR);
        command.setError().setRequestId(requestId).setError(code).setMessage(text);
        send(command);
    }

    /** Answers an ACK: with a receipt if there is no code. */
    void ackResponse(long consumerId, long requestId, @Nullable ServerError code, String text) {
        BaseCommand command = command(BaseCommand.Type.ACK_RESPONSE);
        CommandAckResponse response = command.setAckResponse();
        response.setConsumerId(consumerId).setRequestId(requestId);
        if (code != null) {
            response.setError(code).setMessage(text);
        }
        send(command);
    }

    void lookupFailed(long requestId, ServerError code, String text) {
        BaseCommand command = command(BaseCommand.Type.LOOKUP_RESPONSE);
        command.setLookupTopicResponse()
                .setRequestId(requestId)
                .setResponse(CommandLookupTopicResponse.LookupType.Failed)
                .setError(code)
                .setMessage(text);
        send(command);
    }

    void partitionsFailed(long requestId, ServerError code, String text) {
        BaseCommand command = command(BaseCommand.Type.PARTITIONED_METADATA_RESPONSE);
        command.setPartitionMetadataResponse()
                .setRequestId(requestId)
                .setResponse(CommandPartitionedTopicMetadataResponse.LookupType.Failed)
                .setError(code)
                .setMessage(text);
        send(command);
    }

    void sendReceipt(long producerId, long sequenceId, long highestSequenceId, long ledgerId, long entryId) {
        if (channel.isActive()) {
            int frameBytes = receipt.fill(producerId, sequenceId, highestSequenceId, ledgerId, entryId);
            receipt.writeTo(output.room(frameBytes));
        }
    }

    void sendError(long producerId, long sequenceId, ServerError code, String text) {
        BaseCommand command = command(BaseCommand.Type.SEND_ERROR);
        command.setSendError()
                .setProducerId(producerId)
                .setSequenceId(sequenceId)
                .setError(code)
                .setMessage(text);
        send(command);
    }

    void closeProducer(long producerId) {
        BaseCommand command = command(BaseCommand.Type.CLOSE_PRODUCER);
        command.setCloseProducer().setProducerId(producerId).setRequestId(NO_REQUEST);
        send(command);
    }

    void closeConsumer(long consumerId) {
        BaseCommand command = command(BaseCommand.Type.CLOSE_CONSUMER);
        command.setCloseConsumer().setConsumerId(consumerId).setRequestId(NO_REQUEST);
        send(command);
    }

    static MessageIdData fill(MessageIdData id, Position position) {
        return id.setLedgerId(position.ledgerId()).setEntryId(position.entryId());
    }

    static String text(BrokerException refusal) {
        String text = String.valueOf(refusal.getMessage());
        return text.length() <= MAX_TEXT_CHARS ? text : text.substring(0, MAX_TEXT_CHARS) + "...";
    }
}
