package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.Test;

class MessageTtlTest extends PolicyFixture {
    private static final String PARTITIONED = "persistent://public/policies/parts";

    @Test
    void messagesOfACertainAgeAreAcknowledgedOnEverySubscription() throws Exception {
        admin.topics().createSubscription(TOPIC, "idle", MessageId.earliest);
        try (Consumer<byte[]> consumer = subscribe(TOPIC, SubscriptionType.Shared)) {
            publish(TOPIC, 10, 10);
            admin.namespaces().setNamespaceMessageTTL(SPACE, 1);
            await(() -> subscriptionStats().getMsgBacklog() == 0
                    && stats().getSubscriptions().get("idle").getMsgBacklog() == 0);
            assertThat(subscriptionStats().getUnackedMessages()).isZero();
            admin.namespaces().removeNamespaceMessageTTL(SPACE);
            while (consumer.receive(100, TimeUnit.MILLISECONDS) != null) {
                // those that it had in its queue
            }
            publish(TOPIC, 1, 10);
            assertThat(consumer.receive(20, TimeUnit.SECONDS)).isNotNull();
        }
        restart();
        assertThat(stats().getSubscriptions().get("idle").getMsgBacklog()).isEqualTo(1);
    }

    @Test
    void aTopicsOwnPolicyComesFirstAlsoOfOneThatNobodyUses() throws Exception {
        admin.topics().createPartitionedTopic(PARTITIONED, 2);
        admin.topics().createSubscription(PARTITIONED, SUBSCRIPTION, MessageId.earliest);
        admin.topics().createSubscription(TOPIC, SUBSCRIPTION, MessageId.earliest);
        publish(PARTITIONED, 10, 10);
        publish(TOPIC, 10, 10);
        admin.topicPolicies().setMessageTTL(TOPIC, 10_000);
        restart();
        admin.namespaces().setNamespaceMessageTTL(SPACE, 1);
        await(() -> admin.topics()
                        .getPartitionedStats(PARTITIONED, false)
                        .getSubscriptions()
                        .get(SUBSCRIPTION)
                        .getMsgBacklog()
                == 0);
        assertThat(subscriptionStats().getMsgBacklog()).isEqualTo(10);
        admin.topicPolicies().removeMessageTTL(TOPIC);
        await(() -> subscriptionStats().getMsgBacklog() == 0);
    }
}
