package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandLookupTopic;
import io.millrace.wire.CommandLookupTopicResponse;
import io.millrace.wire.CommandPartitionedTopicMetadata;
import io.millrace.wire.CommandPartitionedTopicMetadataResponse;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** LOOKUP and PARTITIONED_METADATA: every topic is served here. Owned by the event loop. */
final class LookupCommands {
    private final Connection connection;
    private final Namespaces namespaces;
    private final ServerAddress address;
    private final SocketAddress reached;

    LookupCommands(Connection connection, Namespaces namespaces, ServerAddress address, SocketAddress reached) {
        this.connection = connection;
        this.namespaces = namespaces;
        this.address = address;
        this.reached = reached;
    }

    void lookup(CommandLookupTopic command) {
        long requestId = command.getRequestId();
        String listener = command.hasAdvertisedListenerName() ? command.getAdvertisedListenerName() : "";
        answerLater(parsed(command.getTopic(), topic -> lookUp(topic, listener)), (told, refusal) -> {
            if (told != null) {
                answerLookup(requestId, told);
            } else if (refusal != null) {
                connection.replies().lookupFailed(requestId, ErrorCodes.code(refusal.kind()), Replies.text(refusal));
            }
        });
    }

    private CompletionStage<ServiceAddress> lookUp(TopicName topic, String listener) {
        ServiceAddress told = ServiceAddress.of(address.advertised(listener), reached);
        return namespaces.lookUp(topic).thenApply(done -> told);
    }

    private void answerLookup(long requestId, ServiceAddress told) {
        BaseCommand reply = connection.replies().command(BaseCommand.Type.LOOKUP_RESPONSE);
        reply.setLookupTopicResponse()
                .setRequestId(requestId)
                .setResponse(CommandLookupTopicResponse.LookupType.Connect)
                .setBrokerServiceUrl(told.url())
                .setAuthoritative(true)
                .setProxyThroughServiceUrl(told.isProxied());
        connection.replies().send(reply);
    }

    void partitions(CommandPartitionedTopicMetadata command) {
        long requestId = command.getRequestId();
        boolean create = command.isMetadataAutoCreationEnabled();
        answerLater(
                parsed(command.getTopic(), topic -> namespaces.partitionsOf(topic, create)), (partitions, refusal) -> {
                    if (partitions != null) {
                        answerPartitions(requestId, partitions);
                    } else if (refusal != null) {
                        connection
                                .replies()
                                .partitionsFailed(requestId, ErrorCodes.code(refusal.kind()), Replies.text(refusal));
                    }
                });
    }

    private static <R> CompletionStage<R> parsed(String topic, Function<TopicName, CompletionStage<R>> question) {
        try {
            return question.apply(TopicName.parse(topic));
        } catch (BrokerException refusal) {
            return CompletableFuture.failedFuture(refusal);
        }
    }

    /** Answers on the event loop, and counts the command as unanswered until then. */
    private <R> void answerLater(
            CompletionStage<R> question, BiConsumer<@Nullable R, @Nullable BrokerException> answer) {
        connection.inFlight().requested(1);
        question.whenComplete((value, failure) -> connection.execute(() -> {
            answer.accept(value, failure == null ? null : ErrorCodes.refusal(failure));
            connection.inFlight().answered(1);
        }));
    }

    private void answerPartitions(long requestId, int partitions) {
        BaseCommand reply = connection.replies().command(BaseCommand.Type.PARTITIONED_METADATA_RESPONSE);
        reply.setPartitionMetadataResponse()
                .setRequestId(requestId)
                .setPartitions(partitions)
                .setResponse(CommandPartitionedTopicMetadataResponse.LookupType.Success);
        connection.replies().send(reply);
    }
}
