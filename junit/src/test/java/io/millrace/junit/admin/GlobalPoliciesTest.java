package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.BrokerConfig;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.TopicPolicies;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.common.policies.data.BacklogQuota;
import org.apache.pulsar.common.policies.data.InactiveTopicDeleteMode;
import org.apache.pulsar.common.policies.data.InactiveTopicPolicies;
import org.apache.pulsar.common.policies.data.RetentionPolicies;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Policies that a topic has for all clusters have their effects, behind its own and before those of its namespace. */
class GlobalPoliciesTest extends PolicyFixture {
    private static final String OTHER = "persistent://public/policies/other";
    private static final RetentionPolicies FOR_EVER = new RetentionPolicies(-1, -1);
    private static final RetentionPolicies NOTHING = new RetentionPolicies(0, 0);
    private static final int MESSAGES = 25;

    private TopicPolicies global;

    @Override
    BrokerConfig config() {
        return super.config().withLog(super.config().log().withLedgers(1 << 20, 10));
    }

    @BeforeEach
    void findThem() throws Exception {
        global = admin.topicPolicies(true);
        admin.topics().createNonPartitionedTopic(OTHER);
    }

    private void backlog(String topic) throws Exception {
        admin.topics().createSubscription(topic, SUBSCRIPTION, MessageId.earliest);
        publish(topic, MESSAGES, 10);
    }

    private void acknowledged(String topic) throws Exception {
        backlog(topic);
        admin.topics().skipAllMessages(topic, SUBSCRIPTION);
    }

    private long backlogOf(String topic) throws Exception {
        return admin.topics()
                .getStats(topic)
                .getSubscriptions()
                .get(SUBSCRIPTION)
                .getMsgBacklog();
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

    @Test
    void messagesExpire() throws Exception {
        backlog(TOPIC);
        backlog(OTHER);
        global.setMessageTTL(TOPIC, 1);
        await(() -> backlogOf(TOPIC) == 0);
        assertThat(backlogOf(OTHER)).isEqualTo(MESSAGES);
    }

    @Test
    void acknowledgedMessagesAreRetainedAlsoAfterARestart() throws Exception {
        global.setRetention(TOPIC, FOR_EVER);
        acknowledged(TOPIC);
        acknowledged(OTHER);
        await(() -> readable(OTHER) < 10);
        restart();
        admin.topics().skipAllMessages(TOPIC, SUBSCRIPTION);
        assertThat(readable(TOPIC)).isEqualTo(MESSAGES);
        admin.topicPolicies(true).removeRetention(TOPIC);
        await(() -> readable(TOPIC) < 10);
    }

    @Test
    void theirRetentionStandsBetweenThatOfTheTopicAndOfTheNamespace() throws Exception {
        admin.namespaces().setRetention(SPACE, FOR_EVER);
        global.setRetention(OTHER, NOTHING);
        global.setRetention(TOPIC, NOTHING);
        admin.topicPolicies().setRetention(TOPIC, FOR_EVER);
        acknowledged(TOPIC);
        acknowledged(OTHER);
        await(() -> readable(OTHER) < 10);
        assertThat(readable(TOPIC)).isEqualTo(MESSAGES);
        admin.topicPolicies().removeRetention(TOPIC);
        await(() -> readable(TOPIC) < 10);
    }

    @Test
    void aTopicThatNobodyUsesIsDeleted() throws Exception {
        global.setInactiveTopicPolicies(
                TOPIC, new InactiveTopicPolicies(InactiveTopicDeleteMode.delete_when_no_subscriptions, 1, true));
        await(() -> !admin.topics().getList(SPACE).contains(TOPIC));
        assertThat(admin.topics().getList(SPACE)).containsExactly(OTHER);
    }

    @Test
    void theEldestOfTheBacklogIsAcknowledgedAtTheNextCheck() throws Exception {
        backlog(TOPIC);
        backlog(OTHER);
        global.setBacklogQuota(
                TOPIC,
                BacklogQuota.builder()
                        .limitSize(100)
                        .retentionPolicy(BacklogQuota.RetentionPolicy.consumer_backlog_eviction)
                        .build());
        await(() -> backlogOf(TOPIC) < MESSAGES);
        assertThat(backlogOf(OTHER)).isEqualTo(MESSAGES);
    }
}
