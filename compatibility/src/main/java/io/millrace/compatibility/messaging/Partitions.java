package io.millrace.compatibility.messaging;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import io.millrace.compatibility.scenario.There;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageRoutingMode;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;

/** Partitioned topics: how messages are divided, what each type of subscription gets, and what a topic that grows does to its clients. */
public final class Partitions {
    private static final int PARTITIONS = 3;

    private Partitions() {}

    /** Adds them. */
    public static void declare(Scenarios scenarios) {
        for (SubscriptionType type : SubscriptionType.values()) {
            String name = type.name().toLowerCase(Locale.ROOT).replace('_', '-');
            scenarios
                    .add(name + ".all-arrive", context -> allArrive(context, type))
                    .add(name + ".goes-on", context -> goesOn(context, type))
                    .add(name + ".grows", context -> grows(context, type))
                    .add(name + ".two-consumers", context -> twoConsumers(context, type))
                    .add(name + ".cumulative", context -> cumulative(context, type));
        }
        for (MessageRoutingMode mode :
                List.of(MessageRoutingMode.RoundRobinPartition, MessageRoutingMode.SinglePartition)) {
            scenarios.add(
                    "routing." + (mode == MessageRoutingMode.SinglePartition ? "single" : "round-robin"),
                    context -> routing(context, mode));
        }
        scenarios
                .add("routing.by-key", Partitions::byKey)
                .add("names", Partitions::names)
                .add("shrinking-is-refused", Partitions::shrinking)
                .add("delete-under-clients", Partitions::deleted)
                .add("of-one", Partitions::ofOne)
                .add("terminated", Partitions::terminated)
                .add("failover.shared-out", Partitions::sharedOut)
                .add("failover.shared-out-by-priority", Partitions::sharedOutByPriority);
    }

    private static String made(Context context) throws Exception {
        String topic = context.topic("p");
        context.admin().topics().createPartitionedTopic(topic, PARTITIONS);
        return topic;
    }

    private static void allArrive(Context context, SubscriptionType type) throws Exception {
        String topic = made(context);
        Messages.publish(context, topic, 12);
        Consumer<String> consumer = Messages.subscribe(context, topic, type);
        context.say("all", Messages.take(consumer, 12).stream().sorted().toList());
        context.say("more", Messages.rest(consumer));
        for (int i = 0; i < PARTITIONS; i++) {
            String part = topic + "-partition-" + i;
            context.await("backlog of " + i, () -> Messages.backlog(context, part) == 0);
        }
    }

    private static void goesOn(Context context, SubscriptionType type) throws Exception {
        String topic = made(context);
        Messages.publish(context, topic, 9);
        List<String> received = new ArrayList<>();
        try (Consumer<String> consumer = Messages.consumer(context, topic, type).subscribe()) {
            received.addAll(Messages.take(consumer, 4));
        }
        received.addAll(Messages.take(Messages.subscribe(context, topic, type), 5));
        context.say("all", received.stream().sorted().toList());
    }

    private static void grows(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("p");
        context.admin().topics().createPartitionedTopic(topic, 1);
        Consumer<String> consumer = context.closing(Messages.consumer(context, topic, type)
                .autoUpdatePartitionsInterval(1, TimeUnit.SECONDS)
                .subscribe());
        Producer<String> producer = context.closing(context.client()
                .newProducer(Schema.STRING)
                .topic(topic)
                .enableBatching(false)
                .autoUpdatePartitionsInterval(1, TimeUnit.SECONDS)
                .messageRoutingMode(MessageRoutingMode.RoundRobinPartition)
                .create());
        producer.send("before");
        context.admin().topics().updatePartitionedTopic(topic, PARTITIONS);
        context.await("the producer finds them", () -> producer.getNumOfPartitions() == PARTITIONS);
        for (int i = 0; i < 2 * PARTITIONS; i++) {
            producer.send("m" + i);
        }
        context.say(
                "all",
                Messages.take(consumer, 1 + 2 * PARTITIONS).stream().sorted().toList());
    }

    private static void twoConsumers(Context context, SubscriptionType type) throws Exception {
        String topic = made(context);
        Consumer<String> first = Messages.subscribe(context, topic, type);
        context.call("second", () -> {
            Consumer<String> second = Messages.subscribe(context, topic, type);
            Messages.publish(context, topic, 12);
            int both = 0;
            for (int i = 0; i < 10 && both < 12; i++) {
                both += Messages.rest(first).size() + Messages.rest(second).size();
            }
            return both;
        });
    }

    private static void sharedOut(Context context) throws Exception {
        String topic = made(context);
        Map<String, Consumer<String>> consumers = new TreeMap<>();
        for (String name : List.of("b", "c", "a")) {
            consumers.put(name, named(context, topic, name, 0));
        }
        context.say("of three", whoGets(context, topic, consumers));
        leave(consumers, "a");
        context.say("of two", whoGets(context, topic, consumers));
        consumers.put("d", named(context, topic, "d", 0));
        context.say("of three again", whoGets(context, topic, consumers));
    }

    private static void sharedOutByPriority(Context context) throws Exception {
        String topic = made(context);
        Map<String, Consumer<String>> consumers = new TreeMap<>();
        consumers.put("a", named(context, topic, "a", 1));
        consumers.put("c", named(context, topic, "c", 0));
        consumers.put("b", named(context, topic, "b", 0));
        context.say("of two", whoGets(context, topic, consumers));
        leave(consumers, "b");
        leave(consumers, "c");
        context.say("of the last", whoGets(context, topic, consumers));
    }

    private static void leave(Map<String, Consumer<String>> consumers, String name) throws Exception {
        There.of(consumers, name).close();
        consumers.remove(name);
    }

    private static Consumer<String> named(Context context, String topic, String name, int priority) throws Exception {
        return context.closing(Messages.consumer(context, topic, SubscriptionType.Failover)
                .consumerName(name)
                .priorityLevel(priority)
                .subscribe());
    }

    /** Publishes a message to each partition and says whose it is. */
    private static Map<String, List<Integer>> whoGets(
            Context context, String topic, Map<String, Consumer<String>> consumers) throws Exception {
        for (int i = 0; i < PARTITIONS; i++) {
            Messages.publish(context, topic + "-partition-" + i, 1);
        }
        Map<String, List<Integer>> partitions = new TreeMap<>();
        int count = 0;
        for (int round = 0; round < 20 && count < PARTITIONS; round++) {
            for (Map.Entry<String, Consumer<String>> each : consumers.entrySet()) {
                for (Message<String> message : Messages.receive(each.getValue(), PARTITIONS, 1)) {
                    each.getValue().acknowledge(message);
                    partitions
                            .computeIfAbsent(each.getKey(), name -> new ArrayList<>())
                            .add(Integer.parseInt(message.getTopicName().replaceAll(".*-", "")));
                    count++;
                }
            }
        }
        partitions.values().forEach(list -> list.sort(null));
        return partitions;
    }

    private static void cumulative(Context context, SubscriptionType type) throws Exception {
        String topic = made(context);
        Messages.publish(context, topic, 6);
        Consumer<String> consumer = Messages.subscribe(context, topic, type);
        List<Message<String>> all = Messages.receive(consumer, 6);
        context.run("acknowledge", () -> {
            for (Message<String> message : all) {
                consumer.acknowledgeCumulative(message);
            }
        });
        consumer.close();
        context.say(
                "left", Messages.rest(Messages.subscribe(context, topic, type)).size());
    }

    private static void routing(Context context, MessageRoutingMode mode) throws Exception {
        String topic = made(context);
        Producer<String> producer = context.closing(context.client()
                .newProducer(Schema.STRING)
                .topic(topic)
                .enableBatching(false)
                .messageRoutingMode(mode)
                .create());
        Map<Integer, Integer> counts = new TreeMap<>();
        Messages.publish(producer, 0, 9);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Shared);
        for (Message<String> message : Messages.receive(consumer, 9)) {
            int part = Integer.parseInt(message.getTopicName().replaceAll(".*-", ""));
            counts.merge(part, 1, Integer::sum);
        }
        context.say("counts", counts.values().stream().sorted().toList());
    }

    private static void byKey(Context context) throws Exception {
        String topic = made(context);
        Producer<String> producer = Messages.producer(context, topic);
        for (int i = 0; i < 12; i++) {
            producer.newMessage().key("k" + i % 4).value("m" + i).send();
        }
        Map<String, String> parts = new TreeMap<>();
        for (Message<String> message :
                Messages.receive(Messages.subscribe(context, topic, SubscriptionType.Exclusive), 12)) {
            parts.put(message.getKey(), message.getTopicName().replaceAll(".*-", ""));
        }
        context.say("partition by key", parts);
    }

    private static void names(Context context) throws Exception {
        String topic = made(context);
        context.call(
                "partitions",
                () -> context.client().getPartitionsForTopic(topic, true).get(10, TimeUnit.SECONDS));
        context.call(
                "of one",
                () -> context.client()
                        .getPartitionsForTopic(topic + "-partition-1", true)
                        .get(10, TimeUnit.SECONDS));
        context.call(
                "of none",
                () -> context.client()
                        .getPartitionsForTopic(context.topic("none"), true)
                        .get(10, TimeUnit.SECONDS));
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Shared);
        context.say("topic of the consumer", consumer.getTopic());
        Messages.publish(context, topic, 1);
        context.say(
                "topic of the message",
                Messages.receive(consumer, 1).get(0).getTopicName().replaceAll("\\d$", "N"));
    }

    private static void shrinking(Context context) throws Exception {
        String topic = made(context);
        try {
            context.admin().topics().updatePartitionedTopic(topic, 2);
            context.say("fewer", "taken");
        } catch (PulsarAdminException refused) {
            context.say("fewer", "refused");
        }
        context.say("partitions", context.admin().topics().getPartitionedTopicMetadata(topic).partitions);
    }

    private static void deleted(Context context) throws Exception {
        String topic = made(context);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        context.run("delete", () -> context.admin().topics().deletePartitionedTopic(topic));
        consumer.close();
        context.run("then", () -> context.admin().topics().deletePartitionedTopic(topic));
        context.say("left", context.admin().topics().getList(context.namespace()));
    }

    private static void ofOne(Context context) throws Exception {
        String topic = context.topic("p");
        context.admin().topics().createPartitionedTopic(topic, 1);
        Messages.publish(context, topic, 3);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        List<Message<String>> all = Messages.receive(consumer, 3);
        context.say("received", Messages.texts(all));
        context.say("topic", all.get(0).getTopicName());
        context.say("id", all.get(0).getMessageId());
    }

    private static void terminated(Context context) throws Exception {
        String topic = made(context);
        Messages.publish(context, topic, 6);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        context.run("terminate", () -> context.admin().topics().terminatePartitionedTopic(topic));
        context.say("all", Messages.take(consumer, 6).size());
        context.await("end of topic", consumer::hasReachedEndOfTopic);
    }
}
