package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.common.policies.data.DelayedDeliveryPolicies;
import org.apache.pulsar.common.policies.data.PublishRate;
import org.junit.jupiter.api.Test;

class PublishRateTest extends PolicyFixture {
    private static final String OTHER = "persistent://public/policies/other";
    private static final String LIVE = "non-persistent://public/policies/live";

    /** Until all have their receipts. */
    private static long nanosFor(Producer<byte[]> producer, int messages) {
        long start = System.nanoTime();
        CompletableFuture<?>[] each = new CompletableFuture<?>[messages];
        for (int i = 0; i < messages; i++) {
            each[i] = producer.sendAsync(new byte[100]);
        }
        CompletableFuture.allOf(each).orTimeout(60, TimeUnit.SECONDS).join();
        return System.nanoTime() - start;
    }

    @Test
    void publishesWaitForTheRateOfTheirTopicAndNoneIsRefused() throws Exception {
        admin.topicPolicies().setPublishRate(TOPIC, new PublishRate(20, -1));
        try (Producer<byte[]> producer = producer(TOPIC)) {
            // The first second's may pass at once.
            assertThat(nanosFor(producer, 60)).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1_900));
            admin.topicPolicies().removePublishRate(TOPIC);
            assertThat(nanosFor(producer, 2_000)).isLessThan(TimeUnit.SECONDS.toNanos(30));
        }
    }

    @Test
    void aRateOfBytesHoldsAllProducersOfTheTopicTogether() throws Exception {
        admin.namespaces().setPublishRate(SPACE, new PublishRate(-1, 2_000));
        try (Producer<byte[]> one = producer(TOPIC);
                Producer<byte[]> two = producer(TOPIC)) {
            long start = System.nanoTime();
            CompletableFuture<Long> first = CompletableFuture.supplyAsync(() -> nanosFor(one, 20));
            nanosFor(two, 20);
            first.join();
            // 40 messages of more than 100 bytes, of which 2000 bytes may pass at once.
            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(950));
        }
    }

    @Test
    void anotherTopicOnTheConnectionDoesNotWait() throws Exception {
        try (Producer<byte[]> slow = producer(TOPIC);
                Producer<byte[]> other = producer(OTHER)) {
            admin.topicPolicies().setPublishRate(TOPIC, new PublishRate(1, -1));
            List<CompletableFuture<MessageId>> waiting = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                waiting.add(slow.sendAsync(new byte[100]));
            }
            for (int i = 0; i < 100; i++) {
                other.send(new byte[100]);
            }
            assertThat(waiting.get(49)).isNotDone();
            admin.topicPolicies().removePublishRate(TOPIC);
            assertThat(waiting.get(49)).succeedsWithin(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void aFloodIsHeldUpAtItsConnectionAndGoesOn() throws Exception {
        admin.topicPolicies().setPublishRate(TOPIC, new PublishRate(1_000, -1));
        try (Producer<byte[]> flood = producer(TOPIC)) {
            assertThat(nanosFor(flood, 3_000)).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1_900));
        }
        assertThat(admin.topics().getInternalStats(TOPIC).entriesAddedCounter).isEqualTo(3_000);
    }

    @Test
    void aTopicThatStoresNothingHasARateToo() throws Exception {
        try (Producer<byte[]> producer = producer(LIVE)) {
            admin.namespaces().setPublishRate(SPACE, new PublishRate(20, -1));
            assertThat(nanosFor(producer, 60)).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1_900));
        }
    }

    @Test
    void aTopicIsDeletedAndClosedThoughItsPublishesWait() throws Exception {
        admin.topicPolicies().setPublishRate(TOPIC, new PublishRate(1, -1));
        Producer<byte[]> producer = producer(TOPIC);
        List<CompletableFuture<MessageId>> waiting = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            waiting.add(producer.sendAsync(new byte[100]));
        }
        assertThat(waiting.get(0)).succeedsWithin(20, TimeUnit.SECONDS);
        long start = System.nanoTime();
        admin.topics().unload(TOPIC);
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
    }

    @Test
    void aMessageIsRefusedThatIsLargerThanItsTopicTakes() throws Exception {
        try (Producer<byte[]> producer = producer(TOPIC)) {
            producer.send(new byte[5_000]);
            admin.topicPolicies().setMaxMessageSize(TOPIC, 1_000);
            assertThatThrownBy(() -> producer.send(new byte[1_001]))
                    .isInstanceOf(PulsarClientException.NotAllowedException.class)
                    .hasMessageContaining("maximum message size");
            producer.send(new byte[100]);
            admin.topicPolicies().removeMaxMessageSize(TOPIC);
            producer.send(new byte[5_000]);
        }
    }

    @Test
    void aMessageIsRefusedThatIsDelayedForTooLong() throws Exception {
        admin.namespaces()
                .setDelayedDeliveryMessages(
                        SPACE,
                        DelayedDeliveryPolicies.builder()
                                .active(true)
                                .tickTime(1_000)
                                .maxDeliveryDelayInMillis(5_000)
                                .build());
        try (Producer<byte[]> producer = producer(TOPIC)) {
            producer.newMessage()
                    .value(bytes("a"))
                    .deliverAfter(2, TimeUnit.SECONDS)
                    .send();
            assertThatThrownBy(() -> producer.newMessage()
                            .value(bytes("a"))
                            .deliverAfter(60, TimeUnit.SECONDS)
                            .send())
                    .isInstanceOf(PulsarClientException.NotAllowedException.class);
        }
    }
}
