package io.millrace.broker.namespace;

import io.millrace.broker.topic.AppliedPolicies;
import io.millrace.broker.topic.Topic;
import io.millrace.broker.topic.TopicName;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Tells open topics which policies apply to them: each when it is opened, and again when a policy changes. Every change of one topic
 * is told by the namespace stage, in the order of the changes. Owned by that stage.
 */
final class OpenTopics {
    private final TopicPolicies policies;
    private final Shared shared;
    private final Island island;

    OpenTopics(TopicPolicies policies, Shared shared, Island island) {
        this.policies = policies;
        this.shared = shared;
        this.island = island;
    }

    /** What applies to the topic now; nothing if its namespace is gone, as it is then closed. */
    AppliedPolicies policiesOf(TopicName name) {
        return AppliedPolicies.of(policies.texts(name))
                .within(shared.topics().limits().maxMessageBytes());
    }

    /** Policies of a namespace have changed; done when its open topics have been told. */
    CompletionStage<Void> changed(NamespaceName namespace) {
        return forEach(Set.of(namespace), Set.of(), this::tell);
    }

    /** Policies of a topic have changed; done when it, or its partitions, have been told. */
    CompletionStage<Void> changed(TopicName whole) {
        return forEach(Set.of(), Set.of(whole), this::tell);
    }

    /** The same of a topic that has been opened: what it was told may be out of date by then. */
    void opened(Topic topic, AppliedPolicies told) {
        if (!policiesOf(topic.name()).equals(told)) {
            tell(topic);
        }
    }

    private void tell(Topic topic) {
        topic.apply(policiesOf(topic.name()));
    }

    /** Does something with the open topics that are in these namespaces, or are one of these, or a partition of it. */
    CompletionStage<Void> forEach(
            Collection<NamespaceName> namespaces, Collection<TopicName> wholes, Consumer<Topic> task) {
        Set<NamespaceName> spaces = Set.copyOf(namespaces);
        Set<TopicName> topics = Set.copyOf(wholes);
        return island.home(shared.topics()
                        .find(name -> topics.contains(name.whole()) || spaces.contains(NamespaceName.of(name))))
                .thenAccept(open -> open.values().forEach(task));
    }
}
