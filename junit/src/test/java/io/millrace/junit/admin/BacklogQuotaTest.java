package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.BacklogQuota;
import org.apache.pulsar.common.policies.data.BacklogQuota.BacklogQuotaType;
import org.apache.pulsar.common.policies.data.BacklogQuota.RetentionPolicy;
import org.apache.pulsar.common.policies.data.RetentionPolicies;
import org.junit.jupiter.api.Test;

class BacklogQuotaTest extends PolicyFixture {
    private static final int LIMIT = 10_000;

    private static BacklogQuota ofSize(RetentionPolicy beyond) {
        return BacklogQuota.builder().limitSize(LIMIT).retentionPolicy(beyond).build();
    }

    private static BacklogQuota ofAge(RetentionPolicy beyond) {
        return BacklogQuota.builder().limitTime(1).retentionPolicy(beyond).build();
    }

    /** What a new producer that waits for three seconds is told in the end, unless it gets its place. */
    private Optional<String> refusal() throws Exception {
        PulsarClient hasty = PulsarClient.builder()
                .serviceUrl(broker.serviceUrl())
                .operationTimeout(3, TimeUnit.SECONDS)
                .build();
        try {
            return refusal(hasty);
        } finally {
            CompletableFuture<Void> unused = hasty.closeAsync();
        }
    }

    private static Optional<String> refusal(PulsarClient hasty) throws PulsarClientException {
        try {
            hasty.newProducer().topic(TOPIC).create().close();
            return Optional.empty();
        } catch (PulsarClientException.ProducerBlockedQuotaExceededError held) {
            return Optional.of(held.getMessage());
        } catch (PulsarClientException.TimeoutException machineHadNoTimeForTheAnswer) {
            return refusal(hasty);
        }
    }

    @Test
    void aProducerWaitsUntilTheBacklogIsWithinItsQuota() throws Exception {
        admin.namespaces().setBacklogQuota(SPACE, ofSize(RetentionPolicy.producer_request_hold));
        try (Consumer<byte[]> consumer = subscribe(TOPIC, SubscriptionType.Shared)) {
            publish(TOPIC, 8, 1_000);
            producer(TOPIC).close();
            publish(TOPIC, 1, 3_000); // alone beyond the limit, as a producer is held from then on
            assertThat(refusal()).hasValueSatisfying(said -> assertThat(said).contains("backlog quota exceeded"));
            for (int i = 0; i < 9; i++) {
                consumer.acknowledge(consumer.receive());
            }
            await(() -> subscriptionStats().getMsgBacklog() == 0);
            publish(TOPIC, 1, 1_000);
        }
    }

    @Test
    void aConnectedProducerHearsOfItsQuota() throws Exception {
        admin.topicPolicies().setBacklogQuota(TOPIC, ofSize(RetentionPolicy.producer_exception));
        admin.topics().createSubscription(TOPIC, SUBSCRIPTION, org.apache.pulsar.client.api.MessageId.earliest);
        try (Producer<byte[]> producer = producer(TOPIC)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100_000; i++) {
                            producer.send(new byte[1_000]);
                        }
                    })
                    .isInstanceOf(PulsarClientException.ProducerBlockedQuotaExceededException.class);
            admin.topics().skipAllMessages(TOPIC, SUBSCRIPTION);
            await(producer::isConnected);
            producer.send(new byte[1_000]);
        }
    }

    @Test
    void aConnectedProducerThatIsHeldGoesOnWhenThereIsRoom() throws Exception {
        admin.topics().createSubscription(TOPIC, SUBSCRIPTION, org.apache.pulsar.client.api.MessageId.earliest);
        try (Producer<byte[]> producer = producer(TOPIC)) {
            for (int i = 0; i < 20; i++) {
                producer.send(new byte[1_000]);
            }
            admin.namespaces().setBacklogQuota(SPACE, ofSize(RetentionPolicy.producer_request_hold));
            await(() -> stats().getPublishers().isEmpty());
            var sent = producer.sendAsync(bytes("held"));
            assertThat(sent).isNotDone();
            admin.namespaces().removeBacklogQuota(SPACE);
            assertThat(sent).succeedsWithin(20, TimeUnit.SECONDS);
        }
    }

    /** What is acknowledged and kept for a while is not backlog, however large its messages are beside those of today. */
    @Test
    void whatIsAcknowledgedDoesNotCountTowardsTheQuota() throws Exception {
        admin.topics().createSubscription(TOPIC, SUBSCRIPTION, org.apache.pulsar.client.api.MessageId.earliest);
        admin.topicPolicies().setRetention(TOPIC, new RetentionPolicies(-1, -1));
        publish(TOPIC, 20, 50_000);
        admin.topics().skipAllMessages(TOPIC, SUBSCRIPTION);
        restart(); // which begins another ledger
        publish(TOPIC, 20, 100);
        assertThat(admin.topics().getInternalStats(TOPIC).totalSize).isGreaterThan(1_000_000);
        admin.namespaces().setBacklogQuota(SPACE, ofSize(RetentionPolicy.consumer_backlog_eviction));
        String other = TOPIC + "-other";
        admin.topics().createSubscription(other, SUBSCRIPTION, org.apache.pulsar.client.api.MessageId.earliest);
        for (int round = 0; round < 2; round++) { // between which all are compared with their quota
            publish(other, 40, 1_000);
            await(() -> admin.topics()
                            .getStats(other)
                            .getSubscriptions()
                            .get(SUBSCRIPTION)
                            .getMsgBacklog()
                    < 10);
        }
        assertThat(subscriptionStats().getMsgBacklog()).isEqualTo(20);
    }

    @Test
    void theEldestMessagesAreAcknowledgedWhereThatIsThePolicy() throws Exception {
        admin.topics().createSubscription(TOPIC, SUBSCRIPTION, org.apache.pulsar.client.api.MessageId.earliest);
        publish(TOPIC, 40, 1_000);
        admin.topics().createSubscription(TOPIC, "new", org.apache.pulsar.client.api.MessageId.latest);
        admin.namespaces().setBacklogQuota(SPACE, ofSize(RetentionPolicy.consumer_backlog_eviction));
        await(() -> subscriptionStats().getMsgBacklog() < 10);
        assertThat(subscriptionStats().getMsgBacklog()).isBetween(7L, 9L);
        restart();
        assertThat(subscriptionStats().getMsgBacklog()).isBetween(7L, 9L);
        try (Consumer<byte[]> consumer = subscribe(TOPIC, SubscriptionType.Shared)) {
            Message<byte[]> first = consumer.receive();
            assertThat(first.getSequenceId()).isBetween(31L, 33L);
        }
    }

    @Test
    void aBacklogMayBecomeTooOld() throws Exception {
        admin.namespaces()
                .setBacklogQuota(SPACE, ofAge(RetentionPolicy.producer_request_hold), BacklogQuotaType.message_age);
        publish(TOPIC, 3, 10);
        admin.topics().createSubscription(TOPIC, SUBSCRIPTION, org.apache.pulsar.client.api.MessageId.earliest);
        await(() -> refusal().isPresent());
        admin.topicPolicies()
                .setBacklogQuota(TOPIC, ofAge(RetentionPolicy.consumer_backlog_eviction), BacklogQuotaType.message_age);
        await(() -> subscriptionStats().getMsgBacklog() == 0);
        publish(TOPIC, 1, 10);
    }

    @Test
    void aTopicWithoutADurableSubscriptionHasNoBacklog() throws Exception {
        admin.namespaces().setBacklogQuota(SPACE, ofSize(RetentionPolicy.producer_exception));
        publish(TOPIC, 20, 1_000);
        for (String other : List.of("/two", "/three")) {
            publish("persistent://" + SPACE + other, 2, 10);
        }
        publish(TOPIC, 1, 10);
    }
}
