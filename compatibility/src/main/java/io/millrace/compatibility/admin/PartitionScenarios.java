package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Messages;
import io.millrace.compatibility.scenario.Scenarios;
import io.millrace.compatibility.scenario.There;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.pulsar.client.admin.Topics;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;

/** Partitioned topics. */
public final class PartitionScenarios {
    private PartitionScenarios() {}

    public static void declare(Scenarios scenarios) {
        creation(scenarios);
        growth(scenarios);
        deletion(scenarios);
        rest(scenarios);
    }

    private static void creation(Scenarios scenarios) {
        scenarios
                .add("createPartitionedTopic", context -> {
                    String topic = context.topic("p");
                    context.run("create", () -> topics(context).createPartitionedTopic(topic, 3));
                    context.run("again", () -> topics(context).createPartitionedTopic(topic, 3));
                    context.run("with others", () -> topics(context).createPartitionedTopic(topic, 4));
                    context.run("without partitions", () -> topics(context).createNonPartitionedTopic(topic));
                    context.call("partitions", () -> partitions(context, topic));
                    context.call("list", () -> Set.copyOf(topics(context).getList(context.namespace())));
                })
                .add("createPartitionedTopic-not-stored", context -> {
                    String topic = context.liveTopic("p");
                    context.run("create", () -> topics(context).createPartitionedTopic(topic, 3));
                    context.run("again", () -> topics(context).createPartitionedTopic(topic, 3));
                    context.call("partitions", () -> partitions(context, topic));
                })
                .add("createPartitionedTopic-of-odd-numbers", context -> {
                    for (int count : new int[] {0, -1, 1}) {
                        String topic = context.topic("p" + count);
                        context.run(count + " partitions", () -> topics(context).createPartitionedTopic(topic, count));
                    }
                })
                .add("createPartitionedTopic-with-properties", context -> {
                    String topic = context.topic("p");
                    context.run("create", () -> topics(context).createPartitionedTopic(topic, 2, Map.of("a", "1")));
                    context.call("properties", () -> topics(context).getProperties(topic));
                    context.callJson("metadata", () -> topics(context).getPartitionedTopicMetadata(topic));
                })
                .add(
                        "createPartitionedTopic-named-as-a-partition",
                        context -> context.run(
                                "create",
                                () -> topics(context).createPartitionedTopic(context.topic("p-partition-0"), 2)))
                .add("createMissedPartitions", context -> {
                    topics(context).createPartitionedTopic(context.topic("p"), 2);
                    context.run("create", () -> topics(context).createMissedPartitions(context.topic("p")));
                    topics(context).createNonPartitionedTopic(context.topic("a"));
                    context.run("without partitions", () -> topics(context).createMissedPartitions(context.topic("a")));
                });
    }

    private static void growth(Scenarios scenarios) {
        scenarios
                .add("updatePartitionedTopic", context -> {
                    String topic = context.topic("p");
                    topics(context).createPartitionedTopic(topic, 2);
                    context.run("grow", () -> topics(context).updatePartitionedTopic(topic, 4));
                    context.call("partitions", () -> partitions(context, topic));
                    context.run("same", () -> topics(context).updatePartitionedTopic(topic, 4));
                    context.run("fewer", () -> topics(context).updatePartitionedTopic(topic, 3));
                    context.run("none", () -> topics(context).updatePartitionedTopic(topic, 0));
                    context.call("still", () -> partitions(context, topic));
                    context.call("list", () -> Set.copyOf(topics(context).getList(context.namespace())));
                })
                .add("updatePartitionedTopic-brings-the-subscriptions", context -> {
                    String topic = context.topic("p");
                    topics(context).createPartitionedTopic(topic, 1);
                    topics(context).createSubscription(topic, "s", MessageId.latest);
                    topics(context).updatePartitionedTopic(topic, 2);
                    context.call("subscriptions", () -> topics(context).getSubscriptions(topic + "-partition-1"));
                })
                .add("updatePartitionedTopic-without-partitions", context -> {
                    topics(context).createNonPartitionedTopic(context.topic("a"));
                    context.run("grow", () -> topics(context).updatePartitionedTopic(context.topic("a"), 2));
                })
                .add("updatePartitionedTopic-local-and-forced", context -> {
                    String topic = context.topic("p");
                    topics(context).createPartitionedTopic(topic, 1);
                    context.run("local", () -> topics(context).updatePartitionedTopic(topic, 2, true));
                    context.run("forced", () -> topics(context).updatePartitionedTopic(topic, 3, false, true));
                    context.call("partitions", () -> partitions(context, topic));
                });
    }

    private static void deletion(Scenarios scenarios) {
        scenarios
                .add("deletePartitionedTopic", context -> {
                    String topic = context.topic("p");
                    topics(context).createPartitionedTopic(topic, 2);
                    context.run("as one without", () -> topics(context).delete(topic));
                    context.run("delete", () -> topics(context).deletePartitionedTopic(topic));
                    context.run("again", () -> topics(context).deletePartitionedTopic(topic));
                    context.call("list", () -> topics(context).getList(context.namespace()));
                })
                .add("deletePartitionedTopic-with-a-producer", context -> {
                    String topic = context.topic("p");
                    topics(context).createPartitionedTopic(topic, 2);
                    Producer<byte[]> producer = TopicScenarios.producer(context, "p");
                    context.run("delete", () -> topics(context).deletePartitionedTopic(topic));
                    context.call("partitions", () -> partitions(context, topic));
                    producer.close();
                    context.run("forced", () -> topics(context).deletePartitionedTopic(topic, true));
                })
                .add("deletePartitionedTopic-without-partitions", context -> {
                    topics(context).createNonPartitionedTopic(context.topic("a"));
                    context.run("delete", () -> topics(context).deletePartitionedTopic(context.topic("a")));
                });
    }

    private static void rest(Scenarios scenarios) {
        scenarios
                .add("getPartitionedTopicMetadata", context -> {
                    topics(context).createNonPartitionedTopic(context.topic("a"));
                    topics(context).createPartitionedTopic(context.topic("p"), 2);
                    for (String name : new String[] {"a", "p", "p-partition-0"}) {
                        String topic = context.topic(name);
                        context.callJson(name, () -> topics(context).getPartitionedTopicMetadata(topic));
                    }
                })
                .add("properties", context -> {
                    topics(context).createPartitionedTopic(context.topic("p"), 2);
                    PropertiesOf.tell(context, context.topic("p"));
                })
                .add("terminatePartitionedTopic", context -> {
                    String topic = context.topic("p");
                    topics(context).createPartitionedTopic(topic, 2);
                    Messages.publish(context, topic, "one", "two");
                    context.run("as one without", () -> topics(context).terminateTopic(topic));
                    context.call(
                            "terminate",
                            () -> new TreeMap<>(topics(context).terminatePartitionedTopic(topic)).keySet());
                    context.run("publish", () -> Messages.publish(context, topic, "three"));
                })
                .add("unload", context -> {
                    topics(context).createPartitionedTopic(context.topic("p"), 2);
                    context.run("unload", () -> topics(context).unload(context.topic("p")));
                    context.run("one", () -> topics(context).unload(context.topic("p-partition-1")));
                })
                .add("truncate", context -> {
                    String topic = context.topic("p");
                    topics(context).createPartitionedTopic(topic, 2);
                    topics(context).createSubscription(topic, "s", MessageId.earliest);
                    Messages.publish(context, topic, "one", "two");
                    context.run("truncate", () -> topics(context).truncate(topic));
                    context.call(
                            "backlog",
                            () -> There.of(
                                            topics(context)
                                                    .getPartitionedStats(topic, false)
                                                    .getSubscriptions(),
                                            "s")
                                    .getMsgBacklog());
                })
                .add("subscriptions", context -> {
                    String topic = context.topic("p");
                    topics(context).createPartitionedTopic(topic, 2);
                    context.run("create", () -> topics(context).createSubscription(topic, "s", MessageId.earliest));
                    context.run("again", () -> topics(context).createSubscription(topic, "s", MessageId.earliest));
                    context.call("list", () -> topics(context).getSubscriptions(topic));
                    context.call("of one", () -> topics(context).getSubscriptions(topic + "-partition-0"));
                    Messages.publish(context, topic, "one", "two", "three");
                    context.run("skip some", () -> topics(context).skipMessages(topic, "s", 1));
                    context.run("skip all", () -> topics(context).skipAllMessages(topic, "s"));
                    context.run("reset", () -> topics(context).resetCursor(topic, "s", 0));
                    context.run("reset to an id", () -> topics(context).resetCursor(topic, "s", MessageId.earliest));
                    context.run("delete", () -> topics(context).deleteSubscription(topic, "s"));
                    context.call("none left", () -> topics(context).getSubscriptions(topic));
                });
    }

    private static int partitions(Context context, String topic) throws Exception {
        return topics(context).getPartitionedTopicMetadata(topic).partitions;
    }

    private static Topics topics(Context context) {
        return context.admin().topics();
    }
}
