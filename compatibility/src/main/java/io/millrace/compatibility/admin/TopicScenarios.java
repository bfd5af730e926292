package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Messages;
import io.millrace.compatibility.scenario.Scenarios;
import io.millrace.compatibility.scenario.There;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.GrantTopicPermissionOptions;
import org.apache.pulsar.client.admin.ListTopicsOptions;
import org.apache.pulsar.client.admin.Namespaces;
import org.apache.pulsar.client.admin.RevokeTopicPermissionOptions;
import org.apache.pulsar.client.admin.Topics;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.common.naming.TopicDomain;
import org.apache.pulsar.common.policies.data.AuthAction;

/** {@link Topics}: what there is, and what becomes of it. */
public final class TopicScenarios {
    private static final String[] NAMES = {"a b", "a%b", "a:b", "ä", "a.b", "a=b", "a_b", "-a", "a/b", "a+b", "a&b?c#d"
    };

    private TopicScenarios() {}

    public static void declare(Scenarios scenarios) {
        creation(scenarios);
        deletion(scenarios);
        lists(scenarios);
        ends(scenarios);
        rest(scenarios);
    }

    private static void creation(Scenarios scenarios) {
        scenarios
                .add("createNonPartitionedTopic", context -> {
                    context.run("create", () -> topics(context).createNonPartitionedTopic(context.topic("a")));
                    context.run("again", () -> topics(context).createNonPartitionedTopic(context.topic("a")));
                    context.run("with partitions", () -> topics(context).createPartitionedTopic(context.topic("a"), 2));
                    context.call("list", () -> topics(context).getList(context.namespace()));
                })
                .add("createNonPartitionedTopic-not-stored", context -> {
                    context.run("create", () -> topics(context).createNonPartitionedTopic(context.liveTopic("a")));
                    context.run("again", () -> topics(context).createNonPartitionedTopic(context.liveTopic("a")));
                    context.run(
                            "same name stored", () -> topics(context).createNonPartitionedTopic(context.topic("a")));
                })
                .add("createNonPartitionedTopic-that-there-is-by-use", context -> {
                    Messages.publish(context, context.topic("a"), "one");
                    context.run("create", () -> topics(context).createNonPartitionedTopic(context.topic("a")));
                })
                .add("createNonPartitionedTopic-with-properties", context -> {
                    context.run(
                            "create",
                            () -> topics(context).createNonPartitionedTopic(context.topic("a"), Map.of("x", "1")));
                    context.call("properties", () -> topics(context).getProperties(context.topic("a")));
                })
                .add("createNonPartitionedTopic-by-odd-names", context -> {
                    for (String name : NAMES) {
                        context.run(
                                "named " + name, () -> topics(context).createNonPartitionedTopic(context.topic(name)));
                    }
                    context.call("list", () -> Set.copyOf(topics(context).getList(context.namespace())));
                })
                .add("createNonPartitionedTopic-named-as-a-partition", context -> {
                    context.run(
                            "of no topic",
                            () -> topics(context).createNonPartitionedTopic(context.topic("a-partition-0")));
                    topics(context).createPartitionedTopic(context.topic("p"), 2);
                    context.run(
                            "that there is",
                            () -> topics(context).createNonPartitionedTopic(context.topic("p-partition-1")));
                    context.run(
                            "beyond the last",
                            () -> topics(context).createNonPartitionedTopic(context.topic("p-partition-7")));
                });
    }

    private static void deletion(Scenarios scenarios) {
        scenarios
                .add("delete", context -> {
                    Messages.publish(context, context.topic("a"), "one");
                    context.run("delete", () -> topics(context).delete(context.topic("a")));
                    context.run("again", () -> topics(context).delete(context.topic("a")));
                    context.call("list", () -> topics(context).getList(context.namespace()));
                })
                .add("delete-with-a-subscription", context -> {
                    topics(context).createSubscription(context.topic("a"), "s", MessageId.latest);
                    context.run("delete", () -> topics(context).delete(context.topic("a")));
                    context.call("list", () -> topics(context).getList(context.namespace()));
                })
                .add("delete-with-a-producer", context -> {
                    producer(context, "a");
                    context.run("delete", () -> topics(context).delete(context.topic("a")));
                    context.call("list", () -> topics(context).getList(context.namespace()));
                })
                .add("delete-with-a-consumer", context -> {
                    consumer(context, "a");
                    context.run("delete", () -> topics(context).delete(context.topic("a")));
                    context.call("subscriptions", () -> topics(context).getSubscriptions(context.topic("a")));
                })
                .add("delete-by-force-with-a-consumer", context -> {
                    Consumer<byte[]> consumer = consumer(context, "a");
                    context.run("delete", () -> topics(context).delete(context.topic("a"), true));
                    Messages.publish(context, context.topic("a"), "after");
                    context.call("it comes back", () -> Messages.take(consumer, 1));
                })
                .add("delete-by-force-without-anything", context -> {
                    context.namespace();
                    context.run("delete", () -> topics(context).delete(context.topic("none"), true));
                })
                .add("delete-of-a-partition", context -> {
                    topics(context).createPartitionedTopic(context.topic("p"), 2);
                    context.run("delete", () -> topics(context).delete(context.topic("p-partition-0")));
                    context.call(
                            "partitions",
                            () -> topics(context).getPartitionedTopicMetadata(context.topic("p")).partitions);
                })
                .add("delete-forgets-the-messages", context -> {
                    topics(context).createSubscription(context.topic("a"), "s", MessageId.earliest);
                    Messages.publish(context, context.topic("a"), "old");
                    topics(context).delete(context.topic("a"), true);
                    Messages.publish(context, context.topic("a"), "new");
                    context.call("read", () -> Messages.take(consumer(context, "a"), 1));
                });
    }

    private static void lists(Scenarios scenarios) {
        scenarios
                .add("getList", context -> {
                    topics(context).createNonPartitionedTopic(context.topic("b"));
                    topics(context).createNonPartitionedTopic(context.topic("a"));
                    topics(context).createPartitionedTopic(context.topic("p"), 2);
                    consumer(context, context.liveTopic("l"));
                    context.call("all", () -> Set.copyOf(topics(context).getList(context.namespace())));
                    for (TopicDomain domain : TopicDomain.values()) {
                        context.call(
                                domain.value(), () -> Set.copyOf(topics(context).getList(context.namespace(), domain)));
                    }
                    ListTopicsOptions system =
                            ListTopicsOptions.builder().includeSystemTopic(true).build();
                    context.call(
                            "with those of the system",
                            () -> Set.copyOf(
                                    topics(context).getList(context.namespace(), TopicDomain.persistent, system)));
                })
                .add(
                        "getList-without-any",
                        context -> context.call("list", () -> topics(context).getList(context.namespace())))
                .add("getPartitionedTopicList", context -> {
                    topics(context).createNonPartitionedTopic(context.topic("a"));
                    topics(context).createPartitionedTopic(context.topic("p"), 2);
                    topics(context).createPartitionedTopic(context.liveTopic("l"), 2);
                    context.call(
                            "list", () -> Set.copyOf(topics(context).getPartitionedTopicList(context.namespace())));
                })
                .add("getListInBundle", context -> {
                    topics(context).createNonPartitionedTopic(context.topic("a"));
                    context.run(
                            "unknown",
                            () -> topics(context).getListInBundle(context.namespace(), "0x00000000_0x12345678"));
                });
    }

    private static void ends(Scenarios scenarios) {
        scenarios
                .add("terminateTopic", context -> {
                    topics(context).createSubscription(context.topic("a"), "s", MessageId.earliest);
                    Messages.publish(context, context.topic("a"), "one", "two");
                    context.call("terminate", () -> topics(context).terminateTopic(context.topic("a")));
                    context.call("again", () -> topics(context).terminateTopic(context.topic("a")));
                    context.run("publish", () -> Messages.publish(context, context.topic("a"), "three"));
                    Consumer<byte[]> consumer = consumer(context, "a");
                    context.call("read", () -> Messages.take(consumer, 2));
                    context.await("the consumer hears of the end", consumer::hasReachedEndOfTopic);
                })
                .add("terminateTopic-without-messages", context -> {
                    topics(context).createNonPartitionedTopic(context.topic("a"));
                    context.call(
                            "terminate",
                            () -> topics(context)
                                    .terminateTopic(context.topic("a"))
                                    .getClass()
                                    .getSimpleName());
                })
                .add("terminateTopic-while-a-producer-is-there", context -> {
                    Producer<byte[]> producer = producer(context, "a");
                    producer.send(new byte[1]);
                    context.run("terminate", () -> topics(context).terminateTopic(context.topic("a")));
                    context.run("send", () -> producer.send(new byte[1]));
                })
                .add("truncate", context -> {
                    topics(context).createSubscription(context.topic("a"), "s", MessageId.earliest);
                    Messages.publish(context, context.topic("a"), "one", "two");
                    context.run("truncate", () -> topics(context).truncate(context.topic("a")));
                    context.call("backlog", () -> backlog(context, "a", "s"));
                    Messages.publish(context, context.topic("a"), "three");
                    context.call("read", () -> Messages.take(consumer(context, "a"), 1));
                })
                .add("unload", context -> {
                    Consumer<byte[]> consumer = consumer(context, "a");
                    Messages.publish(context, context.topic("a"), "one");
                    context.run("unload", () -> topics(context).unload(context.topic("a")));
                    Messages.publish(context, context.topic("a"), "two");
                    context.call("read", () -> Messages.receiveAll(consumer, Set.of("one", "two")));
                });
    }

    private static void rest(Scenarios scenarios) {
        scenarios
                .add("permissions", context -> {
                    topics(context).createNonPartitionedTopic(context.topic("a"));
                    String topic = context.topic("a");
                    context.call("at first", () -> topics(context).getPermissions(topic));
                    context.run(
                            "grant", () -> topics(context).grantPermission(topic, "role", Set.of(AuthAction.consume)));
                    context.run("revoke", () -> topics(context).revokePermissions(topic, "role"));
                })
                .add("permissions-on-topics", TopicScenarios::permissionsOnTopics)
                .add("schemaValidationEnforced", TopicScenarios::schemaValidationEnforced)
                .add("properties", context -> {
                    String topic = context.topic("a");
                    topics(context).createNonPartitionedTopic(topic);
                    PropertiesOf.tell(context, topic);
                })
                .add("getInternalInfo", context -> {
                    topics(context).createNonPartitionedTopic(context.topic("a"));
                    context.run("info", () -> topics(context).getInternalInfo(context.topic("a")));
                })
                .add("triggerCompaction", context -> {
                    Messages.publish(context, context.topic("a"), "one");
                    context.call("before", () -> topics(context).compactionStatus(context.topic("a")).status);
                    context.run("compact", () -> topics(context).triggerCompaction(context.topic("a")));
                })
                .add("triggerOffload", context -> {
                    MessageId id =
                            Messages.publish(context, context.topic("a"), "one").get(0);
                    context.run("status", () -> topics(context).offloadStatus(context.topic("a")));
                    context.run("offload", () -> topics(context).triggerOffload(context.topic("a"), id));
                })
                .add("trimTopic", context -> {
                    Messages.publish(context, context.topic("a"), "one");
                    context.run("trim", () -> topics(context).trimTopic(context.topic("a")));
                })
                .add("createShadowTopic", context -> {
                    topics(context).createNonPartitionedTopic(context.topic("a"));
                    context.run(
                            "create", () -> topics(context).createShadowTopic(context.topic("b"), context.topic("a")));
                });
    }

    static Producer<byte[]> producer(Context context, String topic) throws Exception {
        return context.closing(context.client()
                .newProducer()
                .topic(named(context, topic))
                .enableBatching(false)
                .create());
    }

    static Consumer<byte[]> consumer(Context context, String topic) throws Exception {
        return context.closing(context.client()
                .newConsumer()
                .topic(named(context, topic))
                .subscriptionName("s")
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS)
                .subscribe());
    }

    private static String named(Context context, String topic) throws Exception {
        return topic.contains("://") ? topic : context.topic(topic);
    }

    static long backlog(Context context, String topic, String subscription) throws Exception {
        return There.of(topics(context).getStats(context.topic(topic)).getSubscriptions(), subscription)
                .getMsgBacklog();
    }

    private static Topics topics(Context context) {
        return context.admin().topics();
    }

    /** Permissions of several topics, whatever namespaces they are in. */
    private static void permissionsOnTopics(Context context) throws Exception {
        String one = context.topic("one");
        String parts = context.topic("parts");
        String never = context.topic("never");
        topics(context).createNonPartitionedTopic(one);
        topics(context).createPartitionedTopic(parts, 2);
        Namespaces namespaces = context.admin().namespaces();
        context.run(
                "grant",
                () -> namespaces.grantPermissionOnTopics(List.of(
                        granted(one, "role", AuthAction.consume),
                        granted(one, "other", AuthAction.produce, AuthAction.consume),
                        granted(parts, "role", AuthAction.produce))));
        context.call("of one", () -> topics(context).getPermissions(one));
        context.call("of parts", () -> topics(context).getPermissions(parts));
        context.call("of a partition", () -> topics(context).getPermissions(parts + "-partition-1"));
        context.run("revoke", () -> namespaces.revokePermissionOnTopics(List.of(revoked(one, "role"))));
        context.call("then of one", () -> topics(context).getPermissions(one));
        context.run(
                "grant more",
                () -> namespaces.grantPermissionOnTopics(List.of(granted(one, "other", AuthAction.functions))));
        context.call("then more", () -> topics(context).getPermissions(one));
        context.run(
                "revoke of two",
                () -> namespaces.revokePermissionOnTopics(List.of(revoked(one, "other"), revoked(parts, "role"))));
        context.call("at last of one", () -> topics(context).getPermissions(one));
        context.call("at last of parts", () -> topics(context).getPermissions(parts));
        context.run("revoke again", () -> namespaces.revokePermissionOnTopics(List.of(revoked(one, "role"))));
        context.run("none", () -> namespaces.grantPermissionOnTopics(List.of()));
        context.run(
                "no topic",
                () -> namespaces.grantPermissionOnTopics(List.of(granted(never, "role", AuthAction.consume))));
        context.run("revoke of no topic", () -> namespaces.revokePermissionOnTopics(List.of(revoked(never, "role"))));
        context.run(
                "no namespace",
                () -> namespaces.grantPermissionOnTopics(
                        List.of(granted(context.tenant() + "/none/t", "role", AuthAction.consume))));
    }

    private static GrantTopicPermissionOptions granted(String topic, String role, AuthAction... actions) {
        return GrantTopicPermissionOptions.builder()
                .topic(topic)
                .role(role)
                .actions(Set.of(actions))
                .build();
    }

    private static RevokeTopicPermissionOptions revoked(String topic, String role) {
        return RevokeTopicPermissionOptions.builder().topic(topic).role(role).build();
    }

    private static void schemaValidationEnforced(Context context) throws Exception {
        String topic = context.topic("a");
        topics(context).createNonPartitionedTopic(topic);
        context.call("at first", () -> topics(context).getSchemaValidationEnforced(topic, false));
        context.call("applied at first", () -> topics(context).getSchemaValidationEnforced(topic, true));
        context.admin().namespaces().setSchemaValidationEnforced(context.namespace(), true);
        context.call("of the namespace", () -> topics(context).getSchemaValidationEnforced(topic, false));
        context.call("applied", () -> topics(context).getSchemaValidationEnforced(topic, true));
        context.run("set", () -> topics(context).setSchemaValidationEnforced(topic, false));
        context.call("then", () -> topics(context).getSchemaValidationEnforced(topic, false));
        context.call("then applied", () -> topics(context).getSchemaValidationEnforced(topic, true));
        context.run("set again", () -> topics(context).setSchemaValidationEnforced(topic, true));
        context.call("at last", () -> topics(context).getSchemaValidationEnforced(topic, false));
    }
}
