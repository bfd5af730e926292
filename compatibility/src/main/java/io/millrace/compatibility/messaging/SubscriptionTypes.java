package io.millrace.compatibility.messaging;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionMode;
import org.apache.pulsar.client.api.SubscriptionType;

/** What each type of subscription gives to whom. */
public final class SubscriptionTypes {
    private static final int KEYS = 8;

    private SubscriptionTypes() {}

    /** Adds them. */
    public static void declare(Scenarios scenarios) {
        for (SubscriptionType type : SubscriptionType.values()) {
            String name = type.name().toLowerCase(Locale.ROOT).replace('_', '-');
            scenarios
                    .add(name + ".in-order", context -> inOrder(context, type))
                    .add(name + ".second-consumer", context -> secondConsumer(context, type))
                    .add(name + ".goes-on-where-it-was", context -> goesOn(context, type))
                    .add(name + ".unacknowledged-comes-again", context -> comesAgain(context, type))
                    .add(name + ".unsubscribe", context -> unsubscribe(context, type))
                    .add(name + ".from-latest", context -> fromLatest(context, type))
                    .add(name + ".two-subscriptions", context -> twoSubscriptions(context, type))
                    .add(name + ".not-durable", context -> notDurable(context, type))
                    .add(name + ".pause", context -> pause(context, type));
            for (SubscriptionType other : SubscriptionType.values()) {
                if (other != type) {
                    String beside = other.name().toLowerCase(Locale.ROOT).replace('_', '-');
                    scenarios.add(name + ".beside-" + beside, context -> beside(context, type, other));
                }
            }
        }
        scenarios
                .add("failover.takes-over", SubscriptionTypes::takesOver)
                .add("shared.all-are-given-out", SubscriptionTypes::givenOut)
                .add("shared.priority", SubscriptionTypes::priority)
                .add("key-shared.keys-stay", SubscriptionTypes::keysStay);
        StickyRanges.declare(scenarios);
    }

    private static void inOrder(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            Messages.publish(context, topic, 20);
            context.say("received", Messages.take(consumer, 20));
            context.say("more", Messages.rest(consumer));
            context.say("end of topic", consumer.hasReachedEndOfTopic());
        }
    }

    private static void secondConsumer(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Consumer<String> first = Messages.subscribe(context, topic, type);
        context.call("second", () -> Messages.subscribe(context, topic, type).isConnected());
        context.say("first is connected", first.isConnected());
    }

    private static void goesOn(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 6);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            context.say("first", Messages.take(consumer, 2));
        }
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            context.say("then", Messages.take(consumer, 4));
            context.say("more", Messages.rest(consumer));
        }
    }

    private static void comesAgain(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 3);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            context.say("first", Messages.counted(Messages.receive(consumer, 3)));
        }
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            context.say("again", Messages.counted(Messages.receive(consumer, 3)));
        }
    }

    private static void unsubscribe(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 3);
        Consumer<String> consumer = Messages.subscribe(context, topic, type);
        context.say("first", Messages.take(consumer, 1));
        context.run("unsubscribe", consumer::unsubscribe);
        context.call("receive", () -> consumer.receive(1, TimeUnit.SECONDS));
        context.say("subscriptions", context.admin().topics().getSubscriptions(topic));
        context.say("anew", Messages.take(Messages.subscribe(context, topic, type), 3));
    }

    private static void fromLatest(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Producer<String> producer = Messages.producer(context, topic);
        Messages.publish(producer, 0, 3);
        try (Consumer<String> consumer = Messages.consumer(context, topic, type)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Latest)
                .subscribe()) {
            context.say("before", Messages.rest(consumer));
            Messages.publish(producer, 3, 2);
            context.say("after", Messages.take(consumer, 2));
        }
    }

    private static void twoSubscriptions(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 4);
        try (Consumer<String> one = Messages.consumer(context, topic, type).subscribe();
                Consumer<String> other = Messages.consumer(context, topic, type)
                        .subscriptionName("other")
                        .subscribe()) {
            context.say("one", Messages.take(one, 4));
            context.say("other", Messages.take(other, 4));
        }
    }

    private static void notDurable(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 3);
        Consumer<String> consumer = context.closing(Messages.consumer(context, topic, type)
                .subscriptionMode(SubscriptionMode.NonDurable)
                .subscribe());
        context.say("received", Messages.take(consumer, 3));
        context.say("subscriptions", context.admin().topics().getSubscriptions(topic));
        consumer.close();
        context.await(
                "is gone",
                () -> context.admin().topics().getSubscriptions(topic).isEmpty());
    }

    private static void pause(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        try (Consumer<String> consumer =
                Messages.consumer(context, topic, type).startPaused(true).subscribe()) {
            Messages.publish(context, topic, 3);
            context.say("paused", Messages.rest(consumer));
            consumer.resume();
            context.say("resumed", Messages.take(consumer, 3));
        }
    }

    private static void beside(Context context, SubscriptionType first, SubscriptionType second) throws Exception {
        String topic = context.topic("t");
        Consumer<String> there = Messages.subscribe(context, topic, first);
        context.call("second", () -> Messages.subscribe(context, topic, second).isConnected());
        there.close();
        context.call("alone", () -> Messages.subscribe(context, topic, second).isConnected());
    }

    private static void takesOver(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<String> first = context.closing(Messages.consumer(context, topic, SubscriptionType.Failover)
                .consumerName("a")
                .subscribe());
        Consumer<String> second = context.closing(Messages.consumer(context, topic, SubscriptionType.Failover)
                .consumerName("b")
                .subscribe());
        Messages.publish(context, topic, 4);
        // Which of the two it is, is a hash of the topic's name.
        List<Message<String>> ofFirst = Messages.receive(first, 1, 3);
        Consumer<String> active = ofFirst.isEmpty() ? second : first;
        Consumer<String> standby = ofFirst.isEmpty() ? first : second;
        List<Message<String>> got = ofFirst.isEmpty() ? Messages.receive(second, 1) : ofFirst;
        context.say("the one", Messages.texts(got));
        active.acknowledge(got.get(0));
        context.say("the other", Messages.rest(standby));
        active.close();
        context.say("the other then", Messages.texts(Messages.receive(standby, 3)));
    }

    private static void givenOut(Context context) throws Exception {
        String topic = context.topic("t");
        Set<String> received = new TreeSet<>();
        int used = 0;
        List<Consumer<String>> consumers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            consumers.add(context.closing(Messages.consumer(context, topic, SubscriptionType.Shared)
                    .receiverQueueSize(5)
                    .subscribe()));
        }
        Messages.publish(context, topic, 30);
        for (Consumer<String> consumer : consumers) {
            List<String> texts = new ArrayList<>();
            Message<String> message = consumer.receive(2, TimeUnit.SECONDS);
            while (message != null) {
                consumer.acknowledge(message);
                texts.add(message.getValue());
                message = consumer.receive(500, TimeUnit.MILLISECONDS);
            }
            received.addAll(texts);
            used += texts.isEmpty() ? 0 : 1;
        }
        context.say("all", received.size());
        context.say("consumers with some", used);
    }

    private static void priority(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<String> first = context.closing(Messages.consumer(context, topic, SubscriptionType.Shared)
                .priorityLevel(0)
                .subscribe());
        Consumer<String> second = context.closing(Messages.consumer(context, topic, SubscriptionType.Shared)
                .priorityLevel(1)
                .subscribe());
        Messages.publish(context, topic, 10);
        context.say("first", Messages.take(first, 10));
        context.say("second", Messages.rest(second));
    }

    private static void keysStay(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<String> first = Messages.subscribe(context, topic, SubscriptionType.Key_Shared);
        Consumer<String> second = Messages.subscribe(context, topic, SubscriptionType.Key_Shared);
        Producer<String> producer = Messages.producer(context, topic);
        for (int i = 0; i < 4 * KEYS; i++) {
            producer.newMessage().key("k" + i % KEYS).value("m" + i).send();
        }
        Map<String, List<String>> byKey = new HashMap<>();
        int owners = ownersOf(byKey, first) + ownersOf(byKey, second);
        context.say("keys with an owner, counted at each", owners);
        context.say("by key", byKey);
    }

    /** Adds what a consumer has by key, and returns how many keys that were. */
    private static int ownersOf(Map<String, List<String>> byKey, Consumer<String> consumer) throws Exception {
        Set<String> keys = new TreeSet<>();
        Message<String> message = consumer.receive(2, TimeUnit.SECONDS);
        while (message != null) {
            consumer.acknowledge(message);
            keys.add(message.getKey());
            byKey.computeIfAbsent(message.getKey(), unused -> new ArrayList<>()).add(message.getValue());
            message = consumer.receive(500, TimeUnit.MILLISECONDS);
        }
        return keys.size();
    }
}
