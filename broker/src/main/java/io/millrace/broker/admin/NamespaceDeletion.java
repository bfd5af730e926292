package io.millrace.broker.admin;

import io.millrace.broker.dispatch.ErrorKind;
import io.millrace.broker.namespace.NamespaceName;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.namespace.TopicListing;
import io.millrace.broker.topic.TopicName;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Deletes a namespace, by force with its topics: topic by topic, each whole, then the namespace. If that is cut short, those
 * that are deleted are, and the namespace is there with the others.
 */
record NamespaceDeletion(Namespaces namespaces) {
    CompletionStage<Void> delete(NamespaceName namespace, boolean force) {
        if (!force) {
            return namespaces.deleteNamespace(namespace);
        }
        return namespaces
                .requireDeletable(namespace)
                .thenCompose(allowed -> namespaces.partitionedTopics(namespace))
                .thenCompose(this::deleteAll)
                .thenCompose(done -> namespaces.list(new TopicListing(namespace, null, null)))
                .thenCompose(list ->
                        deleteAll(list.names().stream().map(TopicName::parse).toList()))
                .thenCompose(done -> namespaces.deleteNamespace(namespace));
    }

    private CompletionStage<Void> deleteAll(List<TopicName> topics) {
        return Answers.each(
                topics, topic -> Answers.unlessGone(namespaces.deleteTopic(topic, true), ErrorKind.TOPIC_NOT_FOUND));
    }
}
