package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Messages;
import io.millrace.compatibility.scenario.Scenarios;
import io.millrace.compatibility.scenario.There;
import java.util.Map;
import org.apache.pulsar.client.admin.Topics;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.SubscriptionMode;
import org.apache.pulsar.client.api.SubscriptionType;

/** {@link Topics}: what users say of subscriptions. */
public final class SubscriptionPropertyScenarios {
    private static final String A = "a";
    private static final String S = "s";
    private static final Map<String, String> X = Map.of("x", "1");
    private static final Map<String, String> Y = Map.of("y", "2", "z", "3");

    private SubscriptionPropertyScenarios() {}

    public static void declare(Scenarios scenarios) {
        ofConsumers(scenarios);
        overTime(scenarios);
        ofPartitions(scenarios);
        contents(scenarios);
    }

    private static void ofConsumers(Scenarios scenarios) {
        scenarios
                .add("next-consumer-with-others", context -> {
                    consumer(context, context.topic(A), SubscriptionMode.Durable, X)
                            .close();
                    consumer(context, context.topic(A), SubscriptionMode.Durable, Y);
                    context.call("properties", () -> properties(context, context.topic(A)));
                })
                .add("next-consumer-beside-the-first", context -> {
                    consumer(context, context.topic(A), SubscriptionMode.Durable, X);
                    consumer(context, context.topic(A), SubscriptionMode.Durable, Y);
                    context.call("properties", () -> properties(context, context.topic(A)));
                })
                .add("next-consumer-without", context -> {
                    consumer(context, context.topic(A), SubscriptionMode.Durable, X)
                            .close();
                    consumer(context, context.topic(A), SubscriptionMode.Durable, Map.of());
                    context.call("properties", () -> properties(context, context.topic(A)));
                })
                .add("consumer-of-a-subscription-without", context -> {
                    topics(context).createSubscription(context.topic(A), S, MessageId.latest);
                    consumer(context, context.topic(A), SubscriptionMode.Durable, X);
                    context.call("properties", () -> properties(context, context.topic(A)));
                })
                .add("set-under-a-consumer", context -> {
                    Consumer<byte[]> consumer = consumer(context, context.topic(A), SubscriptionMode.Durable, X);
                    context.run("set", () -> topics(context).updateSubscriptionProperties(context.topic(A), S, Y));
                    context.call("properties", () -> properties(context, context.topic(A)));
                    Messages.publish(context, context.topic(A), "one");
                    context.call("read", () -> Messages.take(consumer, 1));
                    context.say("connected", consumer.isConnected());
                })
                .add("of-a-subscription-that-is-not-durable", context -> {
                    consumer(context, context.topic(A), SubscriptionMode.NonDurable, X);
                    context.call("properties", () -> properties(context, context.topic(A)));
                    context.run("set", () -> topics(context).updateSubscriptionProperties(context.topic(A), S, Y));
                    context.call("then", () -> properties(context, context.topic(A)));
                })
                .add("of-a-topic-that-is-not-stored", context -> {
                    String topic = context.liveTopic(A);
                    consumer(context, topic, SubscriptionMode.Durable, X);
                    context.call("properties", () -> properties(context, topic));
                    context.run("set", () -> topics(context).updateSubscriptionProperties(topic, S, Y));
                    context.call("then", () -> properties(context, topic));
                    context.call("in the stats", () -> ofStats(context, topic, S));
                });
    }

    private static void overTime(Scenarios scenarios) {
        scenarios
                .add("unloaded", context -> {
                    String topic = context.topic(A);
                    topics(context).createSubscription(topic, S, MessageId.latest, false, X);
                    topics(context).unload(topic);
                    context.call("properties", () -> properties(context, topic));
                    context.run("set", () -> topics(context).updateSubscriptionProperties(topic, S, Y));
                    topics(context).unload(topic);
                    context.call("then", () -> properties(context, topic));
                })
                .add("made-again", context -> {
                    String topic = context.topic(A);
                    topics(context).createSubscription(topic, "keeper", MessageId.latest);
                    topics(context).createSubscription(topic, S, MessageId.latest, false, X);
                    topics(context).deleteSubscription(topic, S);
                    context.call("deleted", () -> properties(context, topic));
                    topics(context).createSubscription(topic, S, MessageId.latest);
                    context.call("made again", () -> properties(context, topic));
                })
                .add("created-again", context -> {
                    String topic = context.topic(A);
                    topics(context).createSubscription(topic, S, MessageId.latest, false, X);
                    context.run(
                            "again", () -> topics(context).createSubscription(topic, S, MessageId.latest, false, Y));
                    context.call("properties", () -> properties(context, topic));
                })
                .add("moved", context -> {
                    String topic = context.topic(A);
                    topics(context).createSubscription(topic, S, MessageId.earliest, false, X);
                    Messages.publish(context, topic, "one", "two");
                    topics(context).skipAllMessages(topic, S);
                    topics(context).resetCursor(topic, S, MessageId.earliest);
                    context.call("properties", () -> properties(context, topic));
                })
                .add("in-the-stats", context -> {
                    String topic = context.topic(A);
                    topics(context).createSubscription(topic, S, MessageId.latest, false, X);
                    topics(context).createSubscription(topic, "plain", MessageId.latest);
                    context.call("of the idle one", () -> ofStats(context, topic, S));
                    consumer(context, topic, SubscriptionMode.Durable, Map.of());
                    context.call("with a consumer", () -> ofStats(context, topic, S));
                    context.call("of the plain one", () -> ofStats(context, topic, "plain"));
                });
    }

    private static void ofPartitions(Scenarios scenarios) {
        scenarios
                .add("of-a-partitioned-topic", context -> {
                    String topic = context.topic(A);
                    topics(context).createPartitionedTopic(topic, 2);
                    context.run(
                            "create", () -> topics(context).createSubscription(topic, S, MessageId.latest, false, X));
                    context.call("properties", () -> properties(context, topic));
                    context.call("of a partition", () -> properties(context, topic + "-partition-1"));
                    context.run("set", () -> topics(context).updateSubscriptionProperties(topic, S, Y));
                    context.call("then", () -> properties(context, topic + "-partition-1"));
                    context.run(
                            "set of a partition",
                            () -> topics(context).updateSubscriptionProperties(topic + "-partition-0", S, X));
                    context.call("of the other", () -> properties(context, topic + "-partition-1"));
                    context.call("of both", () -> properties(context, topic));
                })
                .add("of-a-consumer-of-partitions", context -> {
                    String topic = context.topic(A);
                    topics(context).createPartitionedTopic(topic, 2);
                    consumer(context, topic, SubscriptionMode.Durable, X);
                    context.call("properties", () -> properties(context, topic));
                    context.call("of a partition", () -> properties(context, topic + "-partition-1"));
                })
                .add("of-a-topic-that-grows", context -> {
                    String topic = context.topic(A);
                    topics(context).createPartitionedTopic(topic, 1);
                    topics(context).createSubscription(topic, S, MessageId.latest, false, X);
                    topics(context).updatePartitionedTopic(topic, 3);
                    context.call("of a new partition", () -> properties(context, topic + "-partition-2"));
                });
    }

    private static void contents(Scenarios scenarios) {
        scenarios
                .add("of-odd-names", context -> {
                    String topic = context.topic(A);
                    Map<String, String> odd = Map.of("", "empty", "ä b", "ß\n", "partitions", "seven", "e", "");
                    topics(context).createSubscription(topic, S, MessageId.latest, false, odd);
                    context.call("properties", () -> properties(context, topic));
                    context.run(
                            "set", () -> topics(context).updateSubscriptionProperties(topic, S, Map.of("#", "?&=")));
                    context.call("then", () -> properties(context, topic));
                })
                .add("none", context -> {
                    String topic = context.topic(A);
                    topics(context).createSubscription(topic, S, MessageId.latest, false, X);
                    context.run("set none", () -> topics(context).updateSubscriptionProperties(topic, S, Map.of()));
                    context.call("properties", () -> properties(context, topic));
                });
    }

    private static Map<String, String> properties(Context context, String topic) throws Exception {
        return topics(context).getSubscriptionProperties(topic, S);
    }

    private static Map<String, String> ofStats(Context context, String topic, String subscription) throws Exception {
        return There.of(topics(context).getStats(topic).getSubscriptions(), subscription)
                .getSubscriptionProperties();
    }

    private static Consumer<byte[]> consumer(
            Context context, String topic, SubscriptionMode mode, Map<String, String> properties) throws Exception {
        return context.closing(context.client()
                .newConsumer()
                .topic(topic)
                .subscriptionName(S)
                .subscriptionType(SubscriptionType.Shared)
                .subscriptionMode(mode)
                .subscriptionProperties(properties)
                .subscribe());
    }

    private static Topics topics(Context context) {
        return context.admin().topics();
    }
}
