package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.namespace.NamespaceSettings;
import org.apache.pulsar.client.api.MessageId;
import org.junit.jupiter.api.Test;

class BrokerTtlTest extends PolicyFixture {
    @Override
    NamespaceSettings settings(NamespaceSettings usual) {
        return usual.withPolicies(usual.policies().withMessageTtlSeconds(1));
    }

    @Test
    void aSettingAppliesWhereThereIsNoPolicy() throws Exception {
        assertThat(admin.topicPolicies().getMessageTTL(TOPIC, true)).isEqualTo(1);
        admin.topicPolicies().setMessageTTL(TOPIC, 0);
        admin.topics().createSubscription(TOPIC, SUBSCRIPTION, MessageId.earliest);
        admin.topics().createNonPartitionedTopic(TOPIC + "-other");
        admin.topics().createSubscription(TOPIC + "-other", SUBSCRIPTION, MessageId.earliest);
        publish(TOPIC, 10, 10);
        publish(TOPIC + "-other", 10, 10);
        await(() -> admin.topics()
                        .getStats(TOPIC + "-other")
                        .getSubscriptions()
                        .get(SUBSCRIPTION)
                        .getMsgBacklog()
                == 0);
        assertThat(subscriptionStats().getMsgBacklog()).isEqualTo(10);
    }
}
