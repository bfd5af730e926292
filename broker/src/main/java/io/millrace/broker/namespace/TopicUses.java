package io.millrace.broker.namespace;

import io.millrace.broker.topic.TopicName;
import java.util.HashSet;
import java.util.Set;

/** The topics that clients have opened since {@link InactiveTopics} last looked at them, where it does. Owned by the namespace stage. */
final class TopicUses {
    private final TopicPolicies policies;
    private final Set<TopicName> names = new HashSet<>(0);

    TopicUses(TopicPolicies policies) {
        this.policies = policies;
    }

    /** A client, or who makes it for clients, opens the topic; false if it is none that is looked at. */
    boolean add(TopicName name) {
        boolean isLookedAt = name.isPersistent()
                && !name.isPartition()
                && policies.texts(name).containsKey(InactiveTopics.KEY);
        if (isLookedAt) {
            names.add(name);
        }
        return isLookedAt;
    }

    /** Whether the topic is among them; it is not any more. */
    boolean take(TopicName name) {
        return names.remove(name);
    }

    /** Others are forgotten. */
    void keepOnly(Set<TopicName> others) {
        names.retainAll(others);
    }
}
