package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck;
import io.millrace.wire.ServerError;
import java.util.function.Consumer;

/** Answers a command with an error, in the form in which its client waits for the answer. Owned by the event loop. */
final class CommandErrors {
    private final Replies replies;

    CommandErrors(Replies replies) {
        this.replies = replies;
    }

    void answer(BaseCommand command, BrokerException refusal) {
        answer(command, ErrorCodes.code(refusal.kind()), Replies.text(refusal));
    }

    /** Does nothing for an ACK without a request id: no client waits for its answer. */
    void answer(BaseCommand command, ServerError code, String text) {
        switch (command.getType()) {
            case PRODUCER -> replies.error(command.getProducer().getRequestId(), code, text);
            case SUBSCRIBE -> replies.error(command.getSubscribe().getRequestId(), code, text);
            case SEEK -> replies.error(command.getSeek().getRequestId(), code, text);
            case ACK -> answerAck(command.getAck(), code, text);
            case LOOKUP -> replies.lookupFailed(command.getLookupTopic().getRequestId(), code, text);
            case PARTITIONED_METADATA ->
                replies.partitionsFailed(command.getPartitionMetadata().getRequestId(), code, text);
            case GET_TOPICS_OF_NAMESPACE ->
                replies.error(command.getGetTopicsOfNamespace().getRequestId(), code, text);
            case WATCH_TOPIC_LIST -> replies.error(command.getWatchTopicList().getRequestId(), code, text);
            case WATCH_TOPIC_LIST_CLOSE ->
                replies.error(command.getWatchTopicListClose().getRequestId(), code, text);
            case GET_SCHEMA, GET_OR_CREATE_SCHEMA -> answerSchema(command, code, text);
            default -> answerTransaction(command, code, text);
        }
    }

    private void answerAck(CommandAck ack, ServerError code, String text) {
        if (ack.hasRequestId()) {
            replies.ackResponse(ack.getConsumerId(), ack.getRequestId(), code, text);
        }
    }

    private void answerSchema(BaseCommand command, ServerError code, String text) {
        if (command.getType() == BaseCommand.Type.GET_SCHEMA) {
            send(
                    BaseCommand.Type.GET_SCHEMA_RESPONSE,
                    reply -> reply.setGetSchemaResponse()
                            .setRequestId(command.getGetSchema().getRequestId())
                            .setErrorCode(code)
                            .setErrorMessage(text));
        } else {
            send(
                    BaseCommand.Type.GET_OR_CREATE_SCHEMA_RESPONSE,
                    reply -> reply.setGetOrCreateSchemaResponse()
                            .setRequestId(command.getGetOrCreateSchema().getRequestId())
                            .setErrorCode(code)
                            .setErrorMessage(text));
        }
    }

    private void answerTransaction(BaseCommand command, ServerError code, String text) {
        switch (command.getType()) {
            case TC_CLIENT_CONNECT_REQUEST ->
                send(
                        BaseCommand.Type.TC_CLIENT_CONNECT_RESPONSE,
                        reply -> reply.setTcClientConnectResponse()
                                .setRequestId(
                                        command.getTcClientConnectRequest().getRequestId())
                                .setError(code)
                                .setMessage(text));
            case NEW_TXN ->
                send(
                        BaseCommand.Type.NEW_TXN_RESPONSE,
                        reply -> reply.setNewTxnResponse()
                                .setRequestId(command.getNewTxn().getRequestId())
                                .setError(code)
                                .setMessage(text));
            case END_TXN ->
                send(
                        BaseCommand.Type.END_TXN_RESPONSE,
                        reply -> reply.setEndTxnResponse()
                                .setRequestId(command.getEndTxn().getRequestId())
                                .setError(code)
                                .setMessage(text));
            case ADD_PARTITION_TO_TXN ->
                send(
                        BaseCommand.Type.ADD_PARTITION_TO_TXN_RESPONSE,
                        reply -> reply.setAddPartitionToTxnResponse()
                                .setRequestId(command.getAddPartitionToTxn().getRequestId())
                                .setError(code)
                                .setMessage(text));
            case ADD_SUBSCRIPTION_TO_TXN ->
                send(
                        BaseCommand.Type.ADD_SUBSCRIPTION_TO_TXN_RESPONSE,
                        reply -> reply.setAddSubscriptionToTxnResponse()
                                .setRequestId(command.getAddSubscriptionToTxn().getRequestId())
                                .setError(code)
                                .setMessage(text));
            case END_TXN_ON_PARTITION ->
                send(
                        BaseCommand.Type.END_TXN_ON_PARTITION_RESPONSE,
                        reply -> reply.setEndTxnOnPartitionResponse()
                                .setRequestId(command.getEndTxnOnPartition().getRequestId())
                                .setError(code)
                                .setMessage(text));
            case END_TXN_ON_SUBSCRIPTION ->
                send(
                        BaseCommand.Type.END_TXN_ON_SUBSCRIPTION_RESPONSE,
                        reply -> reply.setEndTxnOnSubscriptionResponse()
                                .setRequestId(command.getEndTxnOnSubscription().getRequestId())
                                .setError(code)
                                .setMessage(text));
            default -> replies.error(Replies.NO_REQUEST, code, text);
        }
    }

    private void send(BaseCommand.Type type, Consumer<BaseCommand> fill) {
        BaseCommand reply = replies.command(type);
        fill.accept(reply);
        replies.send(reply);
    }
}
