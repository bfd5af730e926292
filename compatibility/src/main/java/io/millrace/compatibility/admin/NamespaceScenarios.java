package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Messages;
import io.millrace.compatibility.scenario.Scenarios;
import io.millrace.compatibility.scenario.There;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.client.admin.ListNamespaceTopicsOptions;
import org.apache.pulsar.client.admin.Mode;
import org.apache.pulsar.client.admin.Namespaces;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.common.policies.data.AuthAction;
import org.apache.pulsar.common.policies.data.BundlesData;
import org.apache.pulsar.common.policies.data.Policies;

/** What {@link Namespaces} does besides policies. */
public final class NamespaceScenarios {
    private static final String CLUSTER = "standalone";

    private NamespaceScenarios() {}

    public static void declare(Scenarios scenarios) {
        creation(scenarios);
        deletion(scenarios);
        lists(scenarios);
        backlog(scenarios);
        facts(scenarios);
        roles(scenarios);
    }

    private static void creation(Scenarios scenarios) {
        scenarios
                .add("createNamespace", context -> {
                    String name = context.tenant() + "/a";
                    context.run("create", () -> namespaces(context).createNamespace(name));
                    context.run("again", () -> namespaces(context).createNamespace(name));
                    context.call("list", () -> namespaces(context).getNamespaces(context.tenant()));
                })
                .add("createNamespace-of-no-tenant", context -> {
                    String tenant = context.unique("none");
                    context.run("create", () -> namespaces(context).createNamespace(tenant + "/a"));
                    context.call("list", () -> namespaces(context).getNamespaces(tenant));
                })
                .add("createNamespace-with-clusters", context -> {
                    String name = context.tenant() + "/a";
                    context.run("create", () -> namespaces(context).createNamespace(name, Set.of(CLUSTER)));
                    context.call("clusters", () -> namespaces(context).getNamespaceReplicationClusters(name));
                })
                .add("createNamespace-with-an-unknown-cluster", context -> {
                    String name = context.tenant() + "/a";
                    context.run("create", () -> namespaces(context).createNamespace(name, Set.of("other")));
                    context.call("list", () -> namespaces(context).getNamespaces(context.tenant()));
                })
                .add("createNamespace-with-bundles", context -> {
                    for (int bundles : new int[] {0, -1, 1, 16}) {
                        String name = context.tenant() + "/a" + bundles;
                        context.run(
                                bundles + " bundles", () -> namespaces(context).createNamespace(name, bundles));
                    }
                    BundlesData data = BundlesData.builder().numBundles(2).build();
                    context.run("data", () -> namespaces(context).createNamespace(context.tenant() + "/b", data));
                })
                .add("createNamespace-with-policies", context -> {
                    String name = context.tenant() + "/a";
                    Policies policies = new Policies();
                    policies.replication_clusters = Set.of(CLUSTER);
                    policies.message_ttl_in_seconds = 60;
                    context.run("create", () -> namespaces(context).createNamespace(name, policies));
                    context.call("time to live", () -> namespaces(context).getNamespaceMessageTTL(name));
                })
                .add("createNamespace-with-a-bad-name", context -> {
                    for (String bad : new String[] {"a b", "a%b", "a:b", "ä", "a.b", "a=b", "a_b", "-a", "a/b"}) {
                        String name = context.tenant() + "/" + bad;
                        context.run("named " + bad, () -> namespaces(context).createNamespace(name));
                    }
                });
    }

    private static void deletion(Scenarios scenarios) {
        scenarios
                .add("deleteNamespace", context -> {
                    String name = context.namespace();
                    context.run("delete", () -> namespaces(context).deleteNamespace(name));
                    context.run("again", () -> namespaces(context).deleteNamespace(name));
                    context.call("list", () -> namespaces(context).getNamespaces(context.tenant()));
                })
                .add("deleteNamespace-with-a-topic", context -> {
                    context.admin().topics().createNonPartitionedTopic(context.topic("a"));
                    context.run("delete", () -> namespaces(context).deleteNamespace(context.namespace()));
                    context.admin().topics().delete(context.topic("a"));
                    context.run("again", () -> namespaces(context).deleteNamespace(context.namespace()));
                })
                .add("deleteNamespace-with-a-partitioned-topic", context -> {
                    context.admin().topics().createPartitionedTopic(context.topic("a"), 2);
                    context.run("delete", () -> namespaces(context).deleteNamespace(context.namespace()));
                })
                .add("deleteNamespace-by-force", context -> {
                    context.admin().topics().createNonPartitionedTopic(context.topic("a"));
                    context.run("delete", () -> namespaces(context).deleteNamespace(context.namespace(), true));
                })
                .add("deleteNamespace-and-make-it-again", context -> {
                    Messages.publish(context, context.topic("a"), "one");
                    context.admin().topics().delete(context.topic("a"), true);
                    context.run("delete", () -> namespaces(context).deleteNamespace(context.namespace()));
                    context.run("create", () -> namespaces(context).createNamespace(context.namespace()));
                    context.call("topics", () -> namespaces(context).getTopics(context.namespace()));
                })
                .add("deleteNamespaceBundle", context -> {
                    String name = context.namespace();
                    context.run(
                            "unknown", () -> namespaces(context).deleteNamespaceBundle(name, "0x00000000_0x12345678"));
                    context.run("malformed", () -> namespaces(context).deleteNamespaceBundle(name, "all"));
                });
    }

    private static void lists(Scenarios scenarios) {
        scenarios
                .add("getNamespaces", context -> {
                    for (String name : new String[] {"c", "a", "b"}) {
                        namespaces(context).createNamespace(context.tenant() + "/" + name);
                    }
                    context.call("list", () -> Set.copyOf(namespaces(context).getNamespaces(context.tenant())));
                    context.call(
                            "public has default",
                            () -> namespaces(context).getNamespaces("public").contains("public/default"));
                })
                .add(
                        "getNamespaces-of-a-tenant-without-any",
                        context ->
                                context.call("list", () -> namespaces(context).getNamespaces(context.tenant())))
                .add("getTopics", context -> {
                    context.admin().topics().createNonPartitionedTopic(context.topic("a"));
                    context.admin().topics().createPartitionedTopic(context.topic("p"), 2);
                    Consumer<byte[]> live = context.closing(context.client()
                            .newConsumer()
                            .topic(context.liveTopic("l"))
                            .subscriptionName("s")
                            .subscribe());
                    context.say("live", live.getTopic());
                    context.call("plain", () -> Set.copyOf(namespaces(context).getTopics(context.namespace())));
                    for (Mode mode : Mode.values()) {
                        context.call(
                                mode.name(),
                                () -> Set.copyOf(namespaces(context)
                                        .getTopics(
                                                context.namespace(),
                                                ListNamespaceTopicsOptions.builder()
                                                        .mode(mode)
                                                        .build())));
                    }
                })
                .add(
                        "getTopics-without-any",
                        context ->
                                context.call("topics", () -> namespaces(context).getTopics(context.namespace())));
    }

    private static void backlog(Scenarios scenarios) {
        scenarios
                .add(
                        "clearNamespaceBacklog",
                        context ->
                                cleared(context, () -> namespaces(context).clearNamespaceBacklog(context.namespace())))
                .add(
                        "clearNamespaceBacklogForSubscription",
                        context -> cleared(
                                context,
                                () -> namespaces(context)
                                        .clearNamespaceBacklogForSubscription(context.namespace(), "s")))
                .add(
                        "clearNamespaceBacklogForSubscription-that-there-is-not",
                        context -> cleared(
                                context,
                                () -> namespaces(context)
                                        .clearNamespaceBacklogForSubscription(context.namespace(), "none")))
                .add("unsubscribeNamespace", context -> {
                    subscribed(context);
                    context.run(
                            "unsubscribe", () -> namespaces(context).unsubscribeNamespace(context.namespace(), "s"));
                    context.call("left", () -> context.admin().topics().getSubscriptions(context.topic("a")));
                    context.run("again", () -> namespaces(context).unsubscribeNamespace(context.namespace(), "s"));
                })
                .add("unsubscribeNamespace-with-a-consumer", context -> {
                    subscribed(context);
                    context.closing(context.client()
                            .newConsumer()
                            .topic(context.topic("a"))
                            .subscriptionName("s")
                            .subscribe());
                    context.run(
                            "unsubscribe", () -> namespaces(context).unsubscribeNamespace(context.namespace(), "s"));
                    context.call(
                            "left", () -> Set.copyOf(context.admin().topics().getSubscriptions(context.topic("a"))));
                })
                .add("unload", context -> {
                    Consumer<byte[]> consumer = context.closing(context.client()
                            .newConsumer()
                            .topic(context.topic("a"))
                            .subscriptionName("s")
                            .subscribe());
                    Messages.publish(context, context.topic("a"), "before");
                    context.run("unload", () -> namespaces(context).unload(context.namespace()));
                    Messages.publish(context, context.topic("a"), "after");
                    context.call("read", () -> Messages.receiveAll(consumer, Set.of("before", "after")));
                })
                .add("unloadNamespaceBundle", context -> {
                    String name = context.namespace();
                    context.run(
                            "unknown", () -> namespaces(context).unloadNamespaceBundle(name, "0x00000000_0x12345678"));
                    context.run("malformed", () -> namespaces(context).unloadNamespaceBundle(name, "all"));
                })
                .add(
                        "splitNamespaceBundle",
                        context -> context.run(
                                "unknown",
                                () -> namespaces(context)
                                        .splitNamespaceBundle(
                                                context.namespace(), "0x00000000_0x12345678", false, null)));
    }

    private static void subscribed(Context context) throws Exception {
        Messages.publish(context, context.topic("a"), "one", "two");
        for (String name : new String[] {"s", "other"}) {
            context.admin().topics().createSubscription(context.topic("a"), name, MessageId.earliest);
        }
    }

    private static void cleared(Context context, Context.Action clear) throws Exception {
        subscribed(context);
        context.run("clear", clear);
        for (String name : new String[] {"s", "other"}) {
            context.call(
                    "backlog of " + name,
                    () -> There.of(
                                    context.admin()
                                            .topics()
                                            .getStats(context.topic("a"))
                                            .getSubscriptions(),
                                    name)
                            .getMsgBacklog());
        }
    }

    private static void facts(Scenarios scenarios) {
        scenarios
                .add(
                        "getPolicies",
                        context -> context.callJson(
                                "policies", () -> namespaces(context).getPolicies(context.namespace())))
                .add(
                        "getBundles",
                        context -> context.callJson(
                                "bundles", () -> namespaces(context).getBundles(context.namespace())))
                .add(
                        "getNamespaceReplicationClusters",
                        context -> context.call(
                                "clusters",
                                () -> namespaces(context).getNamespaceReplicationClusters(context.namespace())))
                .add("setNamespaceReplicationClusters", context -> {
                    String name = context.namespace();
                    context.run(
                            "same",
                            () -> namespaces(context).setNamespaceReplicationClusters(name, Set.of(CLUSTER), true));
                    context.run(
                            "unknown",
                            () -> namespaces(context).setNamespaceReplicationClusters(name, Set.of("other"), true));
                    context.run(
                            "none", () -> namespaces(context).setNamespaceReplicationClusters(name, Set.of(), true));
                })
                .add(
                        "getNamespaceAllowedClusters",
                        context -> context.call(
                                "clusters",
                                () -> namespaces(context).getNamespaceAllowedClusters(context.namespace())));
    }

    private static void roles(Scenarios scenarios) {
        scenarios
                .add("permissions", context -> {
                    String name = context.namespace();
                    context.call("at first", () -> namespaces(context).getPermissions(name));
                    context.run(
                            "grant",
                            () -> namespaces(context)
                                    .grantPermissionOnNamespace(name, "role", Set.of(AuthAction.consume)));
                    context.call("then", () -> namespaces(context).getPermissions(name));
                    context.run("revoke", () -> namespaces(context).revokePermissionsOnNamespace(name, "role"));
                })
                .add("permissions-of-subscriptions", context -> {
                    String name = context.namespace();
                    context.call("at first", () -> namespaces(context).getPermissionOnSubscription(name));
                    context.run(
                            "grant",
                            () -> namespaces(context).grantPermissionOnSubscription(name, "s", Set.of("role")));
                    context.run("revoke", () -> namespaces(context).revokePermissionOnSubscription(name, "s", "role"));
                })
                .add("properties", context -> {
                    String name = context.namespace();
                    context.call("at first", () -> namespaces(context).getProperties(name));
                    context.run("set one", () -> namespaces(context).setProperty(name, "a", "1"));
                    context.run("set some", () -> namespaces(context).setProperties(name, Map.of("b", "2", "c", "3")));
                    context.call("then", () -> namespaces(context).getProperties(name));
                    context.call("one", () -> namespaces(context).getProperty(name, "b"));
                    context.call("none", () -> namespaces(context).getProperty(name, "none"));
                    context.call("remove", () -> namespaces(context).removeProperty(name, "a"));
                    context.call("remove none", () -> namespaces(context).removeProperty(name, "none"));
                    context.run("clear", () -> namespaces(context).clearProperties(name));
                    context.call("at last", () -> namespaces(context).getProperties(name));
                })
                .add(
                        "getReplicationConfigVersion",
                        context -> context.call(
                                "version", () -> namespaces(context).getReplicationConfigVersion(context.namespace())))
                .add(
                        "getTopicHashPositions",
                        context -> context.run(
                                "positions",
                                () -> namespaces(context)
                                        .getTopicHashPositions(context.namespace(), "0x00000000_0x12345678", null)))
                .add(
                        "updateMigrationState",
                        context -> context.run(
                                "set", () -> namespaces(context).updateMigrationState(context.namespace(), false)));
    }

    private static Namespaces namespaces(Context context) {
        return context.admin().namespaces();
    }
}
