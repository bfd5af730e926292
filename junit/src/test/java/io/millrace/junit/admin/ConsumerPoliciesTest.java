package io.millrace.junit.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.DelayedDeliveryPolicies;
import org.apache.pulsar.common.policies.data.DispatchRate;
import org.apache.pulsar.common.policies.data.SubscribeRate;
import org.junit.jupiter.api.Test;

class ConsumerPoliciesTest extends PolicyFixture {
    private static List<Message<byte[]>> received(Consumer<byte[]> consumer, int messages) throws Exception {
        List<Message<byte[]>> received = new ArrayList<>();
        while (received.size() < messages) {
            Message<byte[]> message = consumer.receive(20, TimeUnit.SECONDS);
            assertThat(message).as("message %s", received.size()).isNotNull();
            received.add(message);
        }
        return received;
    }

    @Test
    void aTopicTakesAsManyConsumersAsItsPolicySays() throws Exception {
        admin.namespaces().setMaxConsumersPerTopic(SPACE, 2);
        Consumer<byte[]> first = subscribe(TOPIC, "first", SubscriptionType.Shared);
        List<CompletableFuture<Consumer<byte[]>>> more = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            more.add(client.newConsumer()
                    .topic(TOPIC)
                    .subscriptionName("more-" + i)
                    .subscriptionType(SubscriptionType.Shared)
                    .subscribeAsync());
        }
        await(() -> more.stream().allMatch(CompletableFuture::isDone));
        assertThat(more.stream().filter(each -> !each.isCompletedExceptionally()))
                .hasSize(1);
        assertThatThrownBy(() -> subscribe(TOPIC, "first", SubscriptionType.Shared))
                .isInstanceOf(PulsarClientException.ConsumerBusyException.class)
                .hasMessageContaining("max consumers limit");
        first.close();
        subscribe(TOPIC, "first", SubscriptionType.Shared).close();
        admin.topicPolicies().setMaxConsumers(TOPIC, 0);
        for (int i = 0; i < 4; i++) {
            subscribe(TOPIC, "any", SubscriptionType.Shared);
        }
    }

    @Test
    void aConsumerIsBlockedThatDoesNotAcknowledge() throws Exception {
        try (Consumer<byte[]> consumer = subscribe(TOPIC, SubscriptionType.Shared)) {
            publish(TOPIC, 5, 10);
            List<Message<byte[]>> held = received(consumer, 5);
            admin.topicPolicies().setMaxUnackedMessagesOnConsumer(TOPIC, 10);
            publish(TOPIC, 20, 10);
            held.addAll(received(consumer, 5));
            await(() -> subscriptionStats().getConsumers().get(0).isBlockedConsumerOnUnackedMsgs());
            assertThat(consumer.receive(300, TimeUnit.MILLISECONDS)).isNull();
            for (Message<byte[]> message : held.subList(0, 5)) {
                consumer.acknowledge(message);
            }
            held.addAll(received(consumer, 5));
            assertThat(consumer.receive(300, TimeUnit.MILLISECONDS)).isNull();
            admin.topicPolicies().setMaxUnackedMessagesOnConsumer(TOPIC, 0);
            received(consumer, 10);
            assertThat(subscriptionStats().getConsumers().get(0).isBlockedConsumerOnUnackedMsgs())
                    .isFalse();
        }
    }

    @Test
    void aSubscriptionIsBlockedOfWhichTooMuchIsNotAcknowledged() throws Exception {
        admin.namespaces().setMaxUnackedMessagesPerSubscription(SPACE, 10);
        try (Consumer<byte[]> consumer = subscribe(TOPIC, SubscriptionType.Shared)) {
            publish(TOPIC, 20, 10);
            received(consumer, 10);
            await(() -> subscriptionStats().isBlockedSubscriptionOnUnackedMsgs());
            assertThat(consumer.receive(300, TimeUnit.MILLISECONDS)).isNull();
            admin.namespaces().removeMaxUnackedMessagesPerSubscription(SPACE);
            received(consumer, 10);
        }
    }

    @Test
    void nothingIsDelayedWhereThatIsThePolicy() throws Exception {
        try (Consumer<byte[]> consumer = subscribe(TOPIC, SubscriptionType.Shared);
                Producer<byte[]> producer = producer(TOPIC)) {
            producer.newMessage()
                    .value(bytes("a"))
                    .deliverAfter(1, TimeUnit.HOURS)
                    .send();
            assertThat(consumer.receive(300, TimeUnit.MILLISECONDS)).isNull();
            admin.topicPolicies()
                    .setDelayedDeliveryPolicy(
                            TOPIC,
                            DelayedDeliveryPolicies.builder()
                                    .active(false)
                                    .tickTime(1_000)
                                    .build());
            received(consumer, 1);
            producer.newMessage()
                    .value(bytes("b"))
                    .deliverAfter(1, TimeUnit.HOURS)
                    .send();
            received(consumer, 1);
        }
    }

    @Test
    void aSubscriptionSendsAtItsRate() throws Exception {
        admin.namespaces()
                .setSubscriptionDispatchRate(
                        SPACE,
                        DispatchRate.builder()
                                .dispatchThrottlingRateInMsg(20)
                                .dispatchThrottlingRateInByte(-1)
                                .ratePeriodInSecond(1)
                                .build());
        subscribe(TOPIC, SubscriptionType.Exclusive).close();
        publish(TOPIC, 500, 10);
        long start = System.nanoTime();
        try (Consumer<byte[]> consumer = subscribe(TOPIC, SubscriptionType.Exclusive)) {
            received(consumer, 60);
            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1_900));
            admin.namespaces().removeSubscriptionDispatchRate(SPACE);
            received(consumer, 440);
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
        }
    }

    @Test
    void theSubscriptionsOfATopicSendAtItsRateTogether() throws Exception {
        admin.topicPolicies()
                .setDispatchRate(
                        TOPIC,
                        DispatchRate.builder()
                                .dispatchThrottlingRateInMsg(40)
                                .dispatchThrottlingRateInByte(-1)
                                .ratePeriodInSecond(1)
                                .build());
        subscribe(TOPIC, "one", SubscriptionType.Exclusive).close();
        subscribe(TOPIC, "two", SubscriptionType.Shared).close();
        publish(TOPIC, 200, 10);
        long start = System.nanoTime();
        try (Consumer<byte[]> one = subscribe(TOPIC, "one", SubscriptionType.Exclusive);
                Consumer<byte[]> two = subscribe(TOPIC, "two", SubscriptionType.Shared)) {
            received(one, 60);
            received(two, 60);
            // 120 messages, of which 40 may pass at once, and a twentieth more for each subscription.
            assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1_700));
            admin.topicPolicies().removeDispatchRate(TOPIC);
            received(one, 140);
            received(two, 140);
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
        }
    }

    @Test
    void aConsumerMayNotSubscribeAgainAndAgain() throws Exception {
        admin.topicPolicies().setSubscribeRate(TOPIC, new SubscribeRate(1, 3_600));
        subscribeFirst();
        assertThatThrownBy(this::subscribeFirst)
                .isInstanceOf(PulsarClientException.NotAllowedException.class)
                .hasMessageContaining("subscribe rate limit");
        client.newConsumer()
                .topic(TOPIC)
                .consumerName("other")
                .subscriptionName("a")
                .subscribe()
                .close();
        admin.topicPolicies().removeSubscribeRate(TOPIC);
        subscribeFirst();
    }

    /** The first consumer of a new client is to the broker the same as that of the one before. */
    private void subscribeFirst() throws Exception {
        try (PulsarClient alone =
                PulsarClient.builder().serviceUrl(broker.serviceUrl()).build()) {
            alone.newConsumer()
                    .topic(TOPIC)
                    .consumerName("one")
                    .subscriptionName("a")
                    .subscribe()
                    .close();
        }
    }
}
