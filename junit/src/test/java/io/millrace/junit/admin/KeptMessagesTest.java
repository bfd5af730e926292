package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.BrokerConfig;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.common.policies.data.InactiveTopicDeleteMode;
import org.apache.pulsar.common.policies.data.InactiveTopicPolicies;
import org.apache.pulsar.common.policies.data.RetentionPolicies;
import org.junit.jupiter.api.Test;

class KeptMessagesTest extends PolicyFixture {
    private static final String OTHER = "persistent://public/policies/other";
    private static final int MESSAGES = 25;

    @Override
    BrokerConfig config() {
        return super.config().withLog(super.config().log().withLedgers(1 << 20, 10));
    }

    private long readable(String topic) throws Exception {
        try (Reader<byte[]> reader = client.newReader()
                .topic(topic)
                .startMessageId(MessageId.earliest)
                .create()) {
            long count = 0;
            while (reader.hasMessageAvailable()) {
                assertThat(reader.readNext(20, TimeUnit.SECONDS)).isNotNull();
                count++;
            }
            return count;
        }
    }

    private void acknowledged(String topic) throws Exception {
        admin.topics().createSubscription(topic, SUBSCRIPTION, MessageId.earliest);
        publish(topic, MESSAGES, 10);
        admin.topics().skipAllMessages(topic, SUBSCRIPTION);
    }

    @Test
    void acknowledgedMessagesAreRetainedAsTheNearestPolicySays() throws Exception {
        admin.namespaces().setRetention(SPACE, new RetentionPolicies(-1, -1));
        admin.topics().createNonPartitionedTopic(OTHER);
        admin.topicPolicies().setRetention(OTHER, new RetentionPolicies(0, 0));
        acknowledged(TOPIC);
        acknowledged(OTHER);
        await(() -> readable(OTHER) < 10);
        restart();
        assertThat(readable(TOPIC)).isEqualTo(MESSAGES);
        admin.topics().resetCursor(TOPIC, SUBSCRIPTION, MessageId.earliest);
        assertThat(subscriptionStats().getMsgBacklog()).isEqualTo(MESSAGES);
        admin.topics().skipAllMessages(TOPIC, SUBSCRIPTION);
        assertThat(readable(TOPIC)).isEqualTo(MESSAGES);
        admin.namespaces().removeRetention(SPACE);
        await(() -> readable(TOPIC) < 10);
    }

    @Test
    void aTopicThatNobodyUsesIsDeletedWhereThatIsThePolicy() throws Exception {
        publish(TOPIC, 1, 10);
        acknowledged(OTHER);
        try (Producer<byte[]> used = producer(TOPIC + "-used")) {
            used.send(bytes("a"));
            admin.namespaces()
                    .setInactiveTopicPolicies(
                            SPACE,
                            new InactiveTopicPolicies(InactiveTopicDeleteMode.delete_when_no_subscriptions, 1, true));
            await(() -> !admin.topics().getList(SPACE).contains(TOPIC));
            assertThat(admin.topics().getList(SPACE)).containsExactlyInAnyOrder(OTHER, TOPIC + "-used");
            admin.topicPolicies()
                    .setInactiveTopicPolicies(
                            OTHER,
                            new InactiveTopicPolicies(
                                    InactiveTopicDeleteMode.delete_when_subscriptions_caught_up, 1, true));
            await(() -> !admin.topics().getList(SPACE).contains(OTHER));
            used.send(bytes("b"));
        }
    }

    @Test
    void aTopicWhoseMessagesAreRetainedIsNotDeleted() throws Exception {
        publish(TOPIC, 1, 10);
        admin.topics().createNonPartitionedTopic(OTHER);
        publish(OTHER, 1, 10);
        admin.topicPolicies().setRetention(TOPIC, new RetentionPolicies(-1, -1));
        admin.namespaces()
                .setInactiveTopicPolicies(
                        SPACE,
                        new InactiveTopicPolicies(InactiveTopicDeleteMode.delete_when_no_subscriptions, 1, true));
        await(() -> !admin.topics().getList(SPACE).contains(OTHER));
        assertThat(admin.topics().getList(SPACE)).containsExactly(TOPIC);
    }
}
