package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Messages;
import io.millrace.compatibility.scenario.Scenarios;
import io.millrace.compatibility.scenario.There;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.GetStatsOptions;
import org.apache.pulsar.client.admin.Topics;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.SubscriptionType;

/** {@link Topics}: statistics, with the fields that are the same in two runs. */
public final class StatsScenarios {
    private static final String A = "a";

    private StatsScenarios() {}

    public static void declare(Scenarios scenarios) {
        topics(scenarios);
        ofPartitions(scenarios);
        ofClients(scenarios);
        subscriptions(scenarios);
        internal(scenarios);
        TimeScenarios.declare(scenarios);
    }

    private static void topics(Scenarios scenarios) {
        scenarios
                .add("getStats-of-a-new-topic", context -> {
                    topics(context).createNonPartitionedTopic(context.topic(A));
                    context.callJson("stats", () -> topics(context).getStats(context.topic(A)));
                })
                .add("getStats-with-a-producer", context -> {
                    TopicScenarios.producer(context, A);
                    context.callJson("stats", () -> topics(context).getStats(context.topic(A)));
                })
                .add("getStats-of-messages", context -> {
                    topics(context).createSubscription(context.topic(A), "s", MessageId.earliest);
                    Messages.publish(context, context.topic(A), "one", "two", "three");
                    context.callJson("stats", () -> topics(context).getStats(context.topic(A)));
                })
                .add("getStats-with-options", context -> {
                    topics(context).createSubscription(context.topic(A), "s", MessageId.earliest);
                    Messages.publish(context, context.topic(A), "one", "two", "three");
                    context.callJson("precise", () -> topics(context).getStats(context.topic(A), true));
                    context.callJson("with sizes", () -> topics(context).getStats(context.topic(A), true, true));
                    TopicScenarios.producer(context, A);
                    GetStatsOptions bare = GetStatsOptions.builder()
                            .excludePublishers(true)
                            .excludeConsumers(true)
                            .build();
                    context.callJson("bare", () -> topics(context).getStats(context.topic(A), bare));
                })
                .add("getStats-of-a-topic-that-is-not-stored", context -> {
                    TopicScenarios.consumer(context, context.liveTopic(A));
                    context.await(
                            "it asks",
                            () -> There.of(
                                                    topics(context)
                                                            .getStats(context.liveTopic(A))
                                                            .getSubscriptions(),
                                                    "s")
                                            .getConsumers()
                                            .get(0)
                                            .getAvailablePermits()
                                    > 0);
                    context.callJson("stats", () -> topics(context).getStats(context.liveTopic(A)));
                });
    }

    private static void ofPartitions(Scenarios scenarios) {
        scenarios
                .add("getPartitionedStats", context -> {
                    String topic = context.topic("p");
                    topics(context).createPartitionedTopic(topic, 2);
                    topics(context).createSubscription(topic, "s", MessageId.earliest);
                    Messages.publish(context, topic, "one", "two");
                    context.callJson("sum", () -> topics(context).getPartitionedStats(topic, false));
                })
                .add("getPartitionedStats-without-clients", context -> {
                    String topic = context.topic("p");
                    topics(context).createPartitionedTopic(topic, 2);
                    TopicScenarios.consumer(context, "p");
                    TopicScenarios.producer(context, "p");
                    GetStatsOptions bare = GetStatsOptions.builder()
                            .excludePublishers(true)
                            .excludeConsumers(true)
                            .build();
                    context.call(
                            "publishers",
                            () -> topics(context)
                                    .getPartitionedStats(topic, true, bare)
                                    .getPublishers());
                    context.call(
                            "consumers of all",
                            () -> There.of(
                                            topics(context)
                                                    .getPartitionedStats(topic, true, bare)
                                                    .getSubscriptions(),
                                            "s")
                                    .getConsumers());
                })
                .add("getPartitionedStats-by-partition", context -> {
                    String topic = context.topic("p");
                    topics(context).createPartitionedTopic(topic, 2);
                    context.call(
                            "partitions",
                            () -> topics(context)
                                    .getPartitionedStats(topic, true)
                                    .getPartitions()
                                    .keySet());
                });
    }

    private static void ofClients(Scenarios scenarios) {
        scenarios.add("getStats-of-what-clients-say", context -> {
            Consumer<byte[]> consumer = context.closing(context.client()
                    .newConsumer()
                    .topic(context.topic(A))
                    .subscriptionName("s")
                    .property("of", "a consumer")
                    .subscribe());
            context.closing(context.client()
                    .newProducer()
                    .topic(context.topic(A))
                    .property("of", "a producer")
                    .property("host", "one")
                    .create());
            context.say("connected", consumer.isConnected());
            context.call(
                    "producer",
                    () -> topics(context)
                            .getStats(context.topic(A))
                            .getPublishers()
                            .get(0)
                            .getMetadata());
            context.call(
                    "consumer",
                    () -> There.of(topics(context).getStats(context.topic(A)).getSubscriptions(), "s")
                            .getConsumers()
                            .get(0)
                            .getMetadata());
        });
    }

    private static void subscriptions(Scenarios scenarios) {
        for (SubscriptionType type : SubscriptionType.values()) {
            scenarios.add("consumers-of-" + type.name().replace('_', '-'), context -> {
                topics(context).createSubscription(context.topic(A), "s", MessageId.earliest);
                Messages.publish(context, context.topic(A), "one", "two", "three");
                Consumer<byte[]> consumer = context.closing(context.client()
                        .newConsumer()
                        .topic(context.topic(A))
                        .subscriptionName("s")
                        .subscriptionType(type)
                        .consumerName("c")
                        .receiverQueueSize(10)
                        .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS)
                        .subscribe());
                consumer.receive();
                consumer.receive();
                Messages.take(consumer, 1);
                context.await(
                        "one is acknowledged",
                        () -> There.of(
                                                topics(context)
                                                        .getStats(context.topic(A), true)
                                                        .getSubscriptions(),
                                                "s")
                                        .getConsumers()
                                        .get(0)
                                        .getUnackedMessages()
                                <= 2);
                context.callJson(
                        "subscription",
                        () -> There.of(
                                topics(context).getStats(context.topic(A), true).getSubscriptions(), "s"),
                        "keyHashRangeArrays",
                        "keyHashRanges",
                        "availablePermits",
                        "lastConsumedTimestamp",
                        "drainingHashesClearedTotal",
                        "avgMessagesPerEntry");
            });
        }
        scenarios.add("consumers-that-have-gone", context -> {
            TopicScenarios.consumer(context, A).close();
            context.await(
                    "nobody is there",
                    () -> There.of(topics(context).getStats(context.topic(A)).getSubscriptions(), "s")
                            .getConsumers()
                            .isEmpty());
            context.callJson(
                    "subscription",
                    () -> There.of(topics(context).getStats(context.topic(A)).getSubscriptions(), "s"));
        });
    }

    private static void internal(Scenarios scenarios) {
        scenarios
                .add("getInternalStats", context -> {
                    topics(context).createSubscription(context.topic(A), "s", MessageId.earliest);
                    Messages.publish(context, context.topic(A), "one", "two", "three");
                    context.callJson(
                            "stats",
                            () -> topics(context).getInternalStats(context.topic(A)),
                            "markDeletePosition",
                            "readPosition",
                            "cursorLedger",
                            "cursorLedgerLastEntry",
                            "lastConfirmedEntry",
                            "creationTimestamp",
                            "lastLedgerSwitchTimestamp",
                            "properties",
                            "underReplicated");
                })
                .add("getInternalStats-of-a-topic-that-is-not-stored", context -> {
                    TopicScenarios.consumer(context, context.liveTopic(A));
                    context.run("stats", () -> topics(context).getInternalStats(context.liveTopic(A)));
                })
                .add("getPartitionedInternalStats", context -> {
                    topics(context).createPartitionedTopic(context.topic("p"), 2);
                    context.call(
                            "partitions",
                            () -> topics(context)
                                    .getPartitionedInternalStats(context.topic("p"))
                                    .partitions
                                    .keySet());
                });
    }

    private static Topics topics(Context context) {
        return context.admin().topics();
    }
}
