package io.millrace.broker.protocol;

import java.util.function.Consumer;
import org.apache.pulsar.common.api.proto.BaseCommand;
import org.apache.pulsar.common.api.proto.ServerError;

/**
 * Refuses what the broker does not do, in the form in which each command's client waits for its answer. Owned by the
 * event loop.
 */
final class UnsupportedCommands {
    private static final String TRANSACTIONS = "transactions are not supported";
    private static final String WATCHERS = "topic list watchers are not supported: poll instead";
    private static final ServerError CODE = ServerError.NotAllowedError;

    private final Replies replies;

    UnsupportedCommands(Replies replies) {
        this.replies = replies;
    }

    void refuse(BaseCommand command) {
        switch (command.getType()) {
            case GET_TOPICS_OF_NAMESPACE ->
                replies.error(
                        command.getGetTopicsOfNamespace().getRequestId(), CODE, "listing a namespace is not supported");
            case WATCH_TOPIC_LIST -> replies.error(command.getWatchTopicList().getRequestId(), CODE, WATCHERS);
            case WATCH_TOPIC_LIST_CLOSE ->
                replies.error(command.getWatchTopicListClose().getRequestId(), CODE, WATCHERS);
            case GET_SCHEMA -> refuseGetSchema(command.getGetSchema().getRequestId());
            case GET_OR_CREATE_SCHEMA ->
                acceptSchema(command.getGetOrCreateSchema().getRequestId());
            case AUTH_CHALLENGE, AUTH_RESPONSE -> refuseUnasked(command, "authentication is not configured");
            default -> refuseTransaction(command);
        }
    }

    /** A command whose number is not in the protocol, or that only a broker sends. */
    void refuseUnknown(int type) {
        replies.error(Replies.NO_REQUEST, CODE, "command type " + type + " is not one that this broker takes");
    }

    private void refuseUnasked(BaseCommand command, String text) {
        replies.error(Replies.NO_REQUEST, CODE, text + ", so " + command.getType() + " makes no sense");
    }

    /** No topic has a schema here; clients then treat messages as bytes. */
    private void refuseGetSchema(long requestId) {
        send(
                BaseCommand.Type.GET_SCHEMA_RESPONSE,
                reply -> reply.setGetSchemaResponse()
                        .setRequestId(requestId)
                        .setErrorCode(ServerError.TopicNotFound)
                        .setErrorMessage("the topic has no schema: this broker does not store any"));
    }

    /** As with a producer's own schema: taken without a version, since dead letter producers send nothing before. */
    private void acceptSchema(long requestId) {
        send(
                BaseCommand.Type.GET_OR_CREATE_SCHEMA_RESPONSE,
                reply -> reply.setGetOrCreateSchemaResponse()
                        .setRequestId(requestId)
                        .setSchemaVersion(new byte[0]));
    }

    private void refuseTransaction(BaseCommand command) {
        switch (command.getType()) {
            case TC_CLIENT_CONNECT_REQUEST ->
                send(
                        BaseCommand.Type.TC_CLIENT_CONNECT_RESPONSE,
                        reply -> reply.setTcClientConnectResponse()
                                .setRequestId(
                                        command.getTcClientConnectRequest().getRequestId())
                                .setError(CODE)
                                .setMessage(TRANSACTIONS));
            case NEW_TXN ->
                send(
                        BaseCommand.Type.NEW_TXN_RESPONSE,
                        reply -> reply.setNewTxnResponse()
                                .setRequestId(command.getNewTxn().getRequestId())
                                .setError(CODE)
                                .setMessage(TRANSACTIONS));
            case END_TXN ->
                send(
                        BaseCommand.Type.END_TXN_RESPONSE,
                        reply -> reply.setEndTxnResponse()
                                .setRequestId(command.getEndTxn().getRequestId())
                                .setError(CODE)
                                .setMessage(TRANSACTIONS));
            case ADD_PARTITION_TO_TXN ->
                send(
                        BaseCommand.Type.ADD_PARTITION_TO_TXN_RESPONSE,
                        reply -> reply.setAddPartitionToTxnResponse()
                                .setRequestId(command.getAddPartitionToTxn().getRequestId())
                                .setError(CODE)
                                .setMessage(TRANSACTIONS));
            case ADD_SUBSCRIPTION_TO_TXN ->
                send(
                        BaseCommand.Type.ADD_SUBSCRIPTION_TO_TXN_RESPONSE,
                        reply -> reply.setAddSubscriptionToTxnResponse()
                                .setRequestId(command.getAddSubscriptionToTxn().getRequestId())
                                .setError(CODE)
                                .setMessage(TRANSACTIONS));
            case END_TXN_ON_PARTITION ->
                send(
                        BaseCommand.Type.END_TXN_ON_PARTITION_RESPONSE,
                        reply -> reply.setEndTxnOnPartitionResponse()
                                .setRequestId(command.getEndTxnOnPartition().getRequestId())
                                .setError(CODE)
                                .setMessage(TRANSACTIONS));
            case END_TXN_ON_SUBSCRIPTION ->
                send(
                        BaseCommand.Type.END_TXN_ON_SUBSCRIPTION_RESPONSE,
                        reply -> reply.setEndTxnOnSubscriptionResponse()
                                .setRequestId(command.getEndTxnOnSubscription().getRequestId())
                                .setError(CODE)
                                .setMessage(TRANSACTIONS));
            default -> refuseUnknown(command.getType().getValue());
        }
    }

    private void send(BaseCommand.Type type, Consumer<BaseCommand> fill) {
        BaseCommand reply = replies.command(type);
        fill.accept(reply);
        replies.send(reply);
    }
}
