package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.topic.TopicName;
import io.millrace.broker.topic.Topics;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandLookupTopic;
import io.millrace.wire.CommandLookupTopicResponse;
import io.millrace.wire.CommandPartitionedTopicMetadata;
import io.millrace.wire.CommandPartitionedTopicMetadataResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** LOOKUP and PARTITIONED_METADATA: every topic is served here, and none has partitions. Owned by the event loop. */
final class LookupCommands {
    private final Connection connection;
    private final Topics topics;
    private final String serviceUrl;

    LookupCommands(Connection connection, Topics topics, String serviceUrl) {
        this.connection = connection;
        this.topics = topics;
        this.serviceUrl = serviceUrl;
    }

    void lookup(CommandLookupTopic command) {
        long requestId = command.getRequestId();
        try {
            TopicName.parse(command.getTopic());
        } catch (BrokerException refusal) {
            connection.replies().lookupFailed(requestId, ErrorCodes.code(refusal.kind()), Replies.text(refusal));
            return;
        }
        BaseCommand reply = connection.replies().command(BaseCommand.Type.LOOKUP_RESPONSE);
        reply.setLookupTopicResponse()
                .setRequestId(requestId)
                .setResponse(CommandLookupTopicResponse.LookupType.Connect)
                .setBrokerServiceUrl(serviceUrl)
                .setAuthoritative(true)
                .setProxyThroughServiceUrl(false);
        connection.replies().send(reply);
    }

    void partitions(CommandPartitionedTopicMetadata command) {
        long requestId = command.getRequestId();
        connection.inFlight().requested(1);
        known(command)
                .whenComplete((topic, failure) -> connection.execute(() -> {
                    if (failure == null) {
                        answerPartitions(requestId);
                    } else {
                        BrokerException refusal = ErrorCodes.refusal(failure);
                        connection
                                .replies()
                                .partitionsFailed(requestId, ErrorCodes.code(refusal.kind()), Replies.text(refusal));
                    }
                    connection.inFlight().answered(1);
                }));
    }

    /** The topic in question; one that may be created counts as existing. */
    private CompletionStage<TopicName> known(CommandPartitionedTopicMetadata command) {
        try {
            TopicName name = TopicName.parse(command.getTopic());
            return command.isMetadataAutoCreationEnabled()
                    ? CompletableFuture.completedFuture(name)
                    : TopicAccess.requireExisting(topics, name);
        } catch (BrokerException refusal) {
            return CompletableFuture.failedFuture(refusal);
        }
    }

    private void answerPartitions(long requestId) {
        BaseCommand reply = connection.replies().command(BaseCommand.Type.PARTITIONED_METADATA_RESPONSE);
        reply.setPartitionMetadataResponse()
                .setRequestId(requestId)
                .setPartitions(0)
                .setResponse(CommandPartitionedTopicMetadataResponse.LookupType.Success);
        connection.replies().send(reply);
    }
}
