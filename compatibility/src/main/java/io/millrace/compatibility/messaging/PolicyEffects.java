package io.millrace.compatibility.messaging;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.Namespaces;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.BacklogQuota;
import org.apache.pulsar.common.policies.data.BacklogQuota.RetentionPolicy;
import org.apache.pulsar.common.policies.data.DelayedDeliveryPolicies;
import org.apache.pulsar.common.policies.data.DispatchRate;
import org.apache.pulsar.common.policies.data.PublishRate;
import org.apache.pulsar.common.policies.data.SubscribeRate;
import org.apache.pulsar.common.policies.data.SubscriptionStats;

/** What policies of a namespace make of its topics: each is set before there is the topic, so that nobody waits until it is known. */
public final class PolicyEffects {
    private static final int QUOTA_BYTES = 10_000;
    private static final int FEW = 5;

    private PolicyEffects() {}

    /** Adds them. */
    public static void declare(Scenarios scenarios) {
        for (RetentionPolicy beyond : RetentionPolicy.values()) {
            scenarios.add("quota." + beyond.name().replace('_', '-'), context -> quota(context, beyond));
        }
        scenarios
                .add("quota.without-subscription", PolicyEffects::noBacklog)
                .add("publish-rate", PolicyEffects::publishRate)
                .add("dispatch-rate", context -> dispatchRate(context, Namespaces::setDispatchRate))
                .add(
                        "subscription-dispatch-rate",
                        context -> dispatchRate(context, Namespaces::setSubscriptionDispatchRate))
                .add("subscribe-rate", PolicyEffects::subscribeRate)
                .add("max-consumers", PolicyEffects::maxConsumers)
                .add("max-unacked.consumer", PolicyEffects::blockedConsumer)
                .add("max-unacked.subscription", PolicyEffects::blockedSubscription)
                .add("delays.none", PolicyEffects::noDelays)
                .add("delays.too-long", PolicyEffects::tooLongDelay)
                .add("max-message-size", PolicyEffects::maxMessageSize);
    }

    private static Namespaces namespaces(Context context) {
        return context.admin().namespaces();
    }

    private static void quota(Context context, RetentionPolicy beyond) throws Exception {
        PulsarClient client = context.newClient(PulsarClient.builder().operationTimeout(3, TimeUnit.SECONDS));
        namespaces(context).setBacklogQuota(context.namespace(), quotaOf(beyond));
        String topic = context.topic("t");
        context.admin().topics().createNonPartitionedTopic(topic);
        context.admin().topics().createSubscription(topic, "s", MessageId.earliest);
        publishBytes(client, topic);
        context.run("another", () -> client.newProducer().topic(topic).create().close());
        context.admin().topics().skipAllMessages(topic, "s");
        context.await("one when there is room", () -> {
            try {
                client.newProducer().topic(topic).create().close();
                return true;
            } catch (org.apache.pulsar.client.api.PulsarClientException stillFull) {
                return false;
            }
        });
    }

    private static void noBacklog(Context context) throws Exception {
        namespaces(context).setBacklogQuota(context.namespace(), quotaOf(RetentionPolicy.producer_exception));
        publishBytes(context.client(), context.topic("t"));
        context.run(
                "another",
                () -> context.client()
                        .newProducer()
                        .topic(context.topic("t"))
                        .create()
                        .close());
    }

    private static BacklogQuota quotaOf(RetentionPolicy beyond) {
        return BacklogQuota.builder()
                .limitSize(QUOTA_BYTES)
                .retentionPolicy(beyond)
                .build();
    }

    /** Twice what the quota allows. */
    private static void publishBytes(PulsarClient client, String topic) throws Exception {
        try (Producer<byte[]> producer =
                client.newProducer().topic(topic).enableBatching(false).create()) {
            for (int i = 0; i < 20; i++) {
                producer.send(new byte[QUOTA_BYTES / 10]);
            }
        }
    }

    private static void publishRate(Context context) throws Exception {
        namespaces(context).setPublishRate(context.namespace(), new PublishRate(10, -1));
        Producer<String> producer = Messages.producer(context, context.topic("t"));
        long start = System.nanoTime();
        context.call("sent", () -> Messages.publish(producer, 0, 40).size());
        context.say("more slowly than in a second", System.nanoTime() - start > TimeUnit.SECONDS.toNanos(1));
    }

    /** Sets a rate of a namespace. */
    private interface RateSetter {
        void set(Namespaces namespaces, String namespace, DispatchRate rate) throws Exception;
    }

    private static void dispatchRate(Context context, RateSetter setter) throws Exception {
        setter.set(
                namespaces(context),
                context.namespace(),
                DispatchRate.builder()
                        .dispatchThrottlingRateInMsg(10)
                        .dispatchThrottlingRateInByte(-1)
                        .ratePeriodInSecond(1)
                        .build());
        String topic = context.topic("t");
        Messages.publish(context, topic, 50);
        Consumer<String> consumer = consumer(context, topic, "s");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        int received = 0;
        while (System.nanoTime() - end < 0) {
            received += consumer.receive(100, TimeUnit.MILLISECONDS) == null ? 0 : 1;
        }
        context.say("some within a second", received > 0);
        context.say("all within a second", received == 50);
    }

    private static Consumer<String> consumer(Context context, String topic, String subscription) throws Exception {
        return context.closing(Messages.consumer(context, topic, SubscriptionType.Shared)
                .subscriptionName(subscription)
                .subscribe());
    }

    private static List<Message<String>> received(Consumer<String> consumer, int most) throws Exception {
        List<Message<String>> received = new ArrayList<>();
        Message<String> next = consumer.receive(10, TimeUnit.SECONDS);
        while (next != null) {
            received.add(next);
            next = received.size() == most ? null : consumer.receive(10, TimeUnit.SECONDS);
        }
        return received;
    }

    private static void subscribeRate(Context context) throws Exception {
        namespaces(context).setSubscribeRate(context.namespace(), new SubscribeRate(1, 600));
        context.run("first", () -> subscribeOnce(context));
        context.run("again", () -> subscribeOnce(context));
    }

    /** The first consumer of a client, which the broker takes to be the same as that of another. */
    private static void subscribeOnce(Context context) throws Exception {
        PulsarClient client = context.newClient(PulsarClient.builder().operationTimeout(3, TimeUnit.SECONDS));
        client.newConsumer()
                .topic(context.topic("t"))
                .consumerName("c")
                .subscriptionName("s")
                .subscribe()
                .close();
    }

    private static void maxConsumers(Context context) throws Exception {
        namespaces(context).setMaxConsumersPerTopic(context.namespace(), 2);
        PulsarClient client = context.newClient(PulsarClient.builder().operationTimeout(3, TimeUnit.SECONDS));
        String topic = context.topic("t");
        for (String subscription : List.of("a", "b", "c")) {
            context.run(subscription, () -> {
                Consumer<String> unused = client.newConsumer(Schema.STRING)
                        .topic(topic)
                        .subscriptionName(subscription)
                        .subscribe();
            });
        }
    }

    private static SubscriptionStats stats(Context context, String topic) throws Exception {
        return Objects.requireNonNull(
                context.admin().topics().getStats(topic).getSubscriptions().get("s"), "s");
    }

    private static void blockedConsumer(Context context) throws Exception {
        namespaces(context).setMaxUnackedMessagesPerConsumer(context.namespace(), FEW);
        String topic = context.topic("t");
        Consumer<String> consumer = consumer(context, topic, "s");
        Messages.publish(context, topic, 2 * FEW);
        List<Message<String>> first = received(consumer, FEW);
        context.say("received", first.size());
        context.await(
                "blocked", () -> stats(context, topic).getConsumers().get(0).isBlockedConsumerOnUnackedMsgs());
        context.say("more", consumer.receive(500, TimeUnit.MILLISECONDS));
        for (Message<String> message : first) {
            consumer.acknowledge(message);
        }
        context.say("then", received(consumer, FEW).size());
    }

    private static void blockedSubscription(Context context) throws Exception {
        namespaces(context).setMaxUnackedMessagesPerSubscription(context.namespace(), FEW);
        String topic = context.topic("t");
        Consumer<String> consumer = consumer(context, topic, "s");
        Messages.publish(context, topic, 4 * FEW);
        List<Message<String>> first = received(consumer, FEW);
        context.await("blocked", () -> stats(context, topic).isBlockedSubscriptionOnUnackedMsgs());
        for (Message<String> message : first) {
            consumer.acknowledge(message);
        }
        context.say("then", received(consumer, 1).size());
    }

    private static void delays(Context context, boolean active, long longestMillis) throws Exception {
        namespaces(context)
                .setDelayedDeliveryMessages(
                        context.namespace(),
                        DelayedDeliveryPolicies.builder()
                                .active(active)
                                .tickTime(1_000)
                                .maxDeliveryDelayInMillis(longestMillis)
                                .build());
    }

    private static void noDelays(Context context) throws Exception {
        delays(context, false, 0);
        String topic = context.topic("t");
        Consumer<String> consumer = consumer(context, topic, "s");
        Messages.producer(context, topic)
                .newMessage()
                .value("a")
                .deliverAfter(1, TimeUnit.HOURS)
                .send();
        context.say("received", received(consumer, 1).size());
    }

    private static void tooLongDelay(Context context) throws Exception {
        delays(context, true, 5_000);
        Producer<String> producer = Messages.producer(context, context.topic("t"));
        context.run(
                "short",
                () -> producer.newMessage()
                        .value("a")
                        .deliverAfter(2, TimeUnit.SECONDS)
                        .send());
        context.run(
                "long",
                () -> producer.newMessage()
                        .value("a")
                        .deliverAfter(1, TimeUnit.HOURS)
                        .send());
    }

    private static void maxMessageSize(Context context) throws Exception {
        String topic = context.topic("t");
        context.admin().topics().createNonPartitionedTopic(topic);
        context.admin().topicPolicies().setMaxMessageSize(topic, 100);
        context.await(
                "known",
                () -> Integer.valueOf(100)
                        .equals(context.admin().topicPolicies().getMaxMessageSize(topic)));
        Producer<String> producer = Messages.producer(context, topic);
        context.run("small", () -> producer.send("a"));
        context.run("large", () -> producer.send("a".repeat(1_000)));
    }
}
