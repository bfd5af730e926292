package io.millrace.broker.protocol;

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
        BaseCommand reply = replies.command(BaseCommand.Type.GET_SCHEMA_RESPONSE);
        reply.setGetSchemaResponse()
                .setRequestId(requestId)
                .setErrorCode(ServerError.TopicNotFound)
                .setErrorMessage("the topic has no schema: this broker does not store any");
        replies.send(reply);
    }

    /** As with a producer's own schema: taken without a version, since dead letter producers send nothing before. */
    private void acceptSchema(long requestId) {
        BaseCommand reply = replies.command(BaseCommand.Type.GET_OR_CREATE_SCHEMA_RESPONSE);
        reply.setGetOrCreateSchemaResponse().setRequestId(requestId).setSchemaVersion(new byte[0]);
        replies.send(reply);
    }

    private void refuseTransaction(BaseCommand command) {
        switch (command.getType()) {
            case TC_CLIENT_CONNECT_REQUEST -> {
                long requestId = command.getTcClientConnectRequest().getRequestId();
                BaseCommand reply = replies.command(BaseCommand.Type.TC_CLIENT_CONNECT_RESPONSE);
                reply.setTcClientConnectResponse()
                        .setRequestId(requestId)
                        .setError(CODE)
                        .setMessage(TRANSACTIONS);
                replies.send(reply);
            }
            case NEW_TXN -> {
                long requestId = command.getNewTxn().getRequestId();
                BaseCommand reply = replies.command(BaseCommand.Type.NEW_TXN_RESPONSE);
                reply.setNewTxnResponse().setRequestId(requestId).setError(CODE).setMessage(TRANSACTIONS);
                replies.send(reply);
            }
            case END_TXN -> {
                long requestId = command.getEndTxn().getRequestId();
                BaseCommand reply = replies.command(BaseCommand.Type.END_TXN_RESPONSE);
                reply.setEndTxnResponse().setRequestId(requestId).setError(CODE).setMessage(TRANSACTIONS);
                replies.send(reply);
            }
            default -> refuseTransactionPart(command);
        }
    }

    private void refuseTransactionPart(BaseCommand command) {
        switch (command.getType()) {
            case ADD_PARTITION_TO_TXN -> {
                long requestId = command.getAddPartitionToTxn().getRequestId();
                BaseCommand reply = replies.command(BaseCommand.Type.ADD_PARTITION_TO_TXN_RESPONSE);
                reply.setAddPartitionToTxnResponse()
                        .setRequestId(requestId)
                        .setError(CODE)
                        .setMessage(TRANSACTIONS);
                replies.send(reply);
            }
            case ADD_SUBSCRIPTION_TO_TXN -> {
                long requestId = command.getAddSubscriptionToTxn().getRequestId();
                BaseCommand reply = replies.command(BaseCommand.Type.ADD_SUBSCRIPTION_TO_TXN_RESPONSE);
                reply.setAddSubscriptionToTxnResponse()
                        .setRequestId(requestId)
                        .setError(CODE)
                        .setMessage(TRANSACTIONS);
                replies.send(reply);
            }
            case END_TXN_ON_PARTITION -> {
                long requestId = command.getEndTxnOnPartition().getRequestId();
                BaseCommand reply = replies.command(BaseCommand.Type.END_TXN_ON_PARTITION_RESPONSE);
                reply.setEndTxnOnPartitionResponse()
                        .setRequestId(requestId)
                        .setError(CODE)
                        .setMessage(TRANSACTIONS);
                replies.send(reply);
            }
            case END_TXN_ON_SUBSCRIPTION -> {
                long requestId = command.getEndTxnOnSubscription().getRequestId();
                BaseCommand reply = replies.command(BaseCommand.Type.END_TXN_ON_SUBSCRIPTION_RESPONSE);
                reply.setEndTxnOnSubscriptionResponse()
                        .setRequestId(requestId)
                        .setError(CODE)
                        .setMessage(TRANSACTIONS);
                replies.send(reply);
            }
            default -> refuseUnknown(command.getType().getValue());
        }
    }
}
