package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.pulsar.client.admin.Brokers;
import org.apache.pulsar.client.admin.Clusters;
import org.apache.pulsar.client.admin.Lookup;
import org.apache.pulsar.common.policies.data.ClusterData;

/** {@link Clusters}, {@link Brokers} and {@link Lookup}. */
public final class ClusterScenarios {
    private static final String CLUSTER = "standalone";

    private ClusterScenarios() {}

    public static void declare(Scenarios scenarios) {
        clusters(scenarios);
        brokers(scenarios);
        lookups(scenarios);
    }

    private static void clusters(Scenarios scenarios) {
        scenarios
                .add(
                        "getClusters",
                        context -> context.call("list", () -> clusters(context).getClusters()))
                .add("getCluster", context -> {
                    context.callJson("standalone", () -> clusters(context).getCluster(CLUSTER));
                    context.run("unknown", () -> clusters(context).getCluster(context.unique("x")));
                })
                .add("createCluster", context -> {
                    ClusterData data = ClusterData.builder()
                            .serviceUrl("http://127.0.0.1:1")
                            .build();
                    context.run("that there is", () -> clusters(context).createCluster(CLUSTER, data));
                    context.run("a bad name", () -> clusters(context).createCluster("a b", data));
                })
                .add("updateCluster", context -> {
                    ClusterData data = ClusterData.builder()
                            .serviceUrl("http://127.0.0.1:1")
                            .build();
                    context.run("unknown", () -> clusters(context).updateCluster(context.unique("x"), data));
                })
                .add(
                        "deleteCluster",
                        context ->
                                context.run("unknown", () -> clusters(context).deleteCluster(context.unique("x"))))
                .add("peers", context -> {
                    context.call("of the cluster", () -> clusters(context).getPeerClusterNames(CLUSTER));
                    context.run("unknown", () -> clusters(context).getPeerClusterNames(context.unique("x")));
                    context.run(
                            "set unknown",
                            () -> clusters(context)
                                    .updatePeerClusterNames(CLUSTER, new LinkedHashSet<>(Set.of("other"))));
                })
                .add("failure-domains", context -> {
                    context.call("of the cluster", () -> clusters(context).getFailureDomains(CLUSTER));
                    context.run("unknown", () -> clusters(context).getFailureDomain(CLUSTER, "none"));
                })
                .add("isolation-policies", context -> {
                    context.call("of the cluster", () -> clusters(context).getNamespaceIsolationPolicies(CLUSTER));
                    context.run("unknown", () -> clusters(context).getNamespaceIsolationPolicy(CLUSTER, "none"));
                    context.run(
                            "of an unknown cluster",
                            () -> clusters(context).getNamespaceIsolationPolicies(context.unique("x")));
                })
                .add(
                        "migration",
                        context ->
                                context.callJson("get", () -> clusters(context).getClusterMigration(CLUSTER)));
    }

    private static void brokers(Scenarios scenarios) {
        scenarios
                .add("healthcheck", context -> {
                    context.run("health", () -> brokers(context).healthcheck());
                    context.run(
                            "of a named broker",
                            () -> brokers(context)
                                    .healthcheck(Optional.of(
                                            brokers(context).getLeaderBroker().getBrokerId())));
                })
                .add("getActiveBrokers", context -> {
                    context.call(
                            "how many",
                            () -> brokers(context).getActiveBrokers().size());
                    context.call(
                            "of the cluster",
                            () -> brokers(context).getActiveBrokers(CLUSTER).size());
                    context.run("of another", () -> brokers(context).getActiveBrokers("other"));
                })
                .add(
                        "getLeaderBroker",
                        context -> context.callJson(
                                "leader", () -> brokers(context).getLeaderBroker()))
                .add(
                        "getVersion",
                        context -> context.call(
                                "it has one",
                                () -> !brokers(context).getVersion().isBlank()))
                .add("configurations", context -> {
                    context.call(
                            "name of the cluster",
                            () -> brokers(context).getRuntimeConfigurations().get("clusterName"));
                    context.run("names", () -> brokers(context).getDynamicConfigurationNames());
                    context.call("changed ones", () -> brokers(context).getAllDynamicConfigurations());
                    context.run("of metadata", () -> brokers(context).getInternalConfigurationData());
                    context.run("an unknown key", () -> brokers(context).updateDynamicConfiguration("noSuchKey", "1"));
                })
                .add(
                        "getOwnedNamespaces",
                        context -> context.run(
                                "of the leader",
                                () -> brokers(context)
                                        .getOwnedNamespaces(
                                                CLUSTER,
                                                brokers(context)
                                                        .getLeaderBroker()
                                                        .getBrokerId())))
                .add(
                        "backlogQuotaCheck",
                        context -> context.run("check", () -> brokers(context).backlogQuotaCheck()));
    }

    private static void lookups(Scenarios scenarios) {
        scenarios
                .add("lookupTopic", context -> {
                    context.admin().topics().createNonPartitionedTopic(context.topic("a"));
                    String url = lookup(context).lookupTopic(context.topic("a"));
                    context.say(
                            "it is the broker's", url.equals(context.target().serviceUrl()));
                    context.run(
                            "of a topic that there is not",
                            () -> lookup(context).lookupTopic(context.topic("none")));
                    context.run("of no namespace", () -> lookup(context).lookupTopic(context.tenant() + "/none/a"));
                    context.run("of a partitioned topic", () -> {
                        context.admin().topics().createPartitionedTopic(context.topic("p"), 2);
                        String unused = lookup(context).lookupTopic(context.topic("p"));
                    });
                })
                .add("lookupPartitionedTopic", context -> {
                    context.admin().topics().createPartitionedTopic(context.topic("p"), 2);
                    context.call(
                            "partitions",
                            () -> lookup(context)
                                    .lookupPartitionedTopic(context.topic("p"))
                                    .keySet());
                    context.admin().topics().createNonPartitionedTopic(context.topic("a"));
                    context.run("without partitions", () -> lookup(context).lookupPartitionedTopic(context.topic("a")));
                })
                .add("getBundleRange", context -> {
                    context.call(
                            "it is a range",
                            () -> lookup(context)
                                    .getBundleRange(context.topic("a"))
                                    .matches("0x[0-9a-f]{8}_0x[0-9a-f]{8}"));
                    context.run("of no namespace", () -> lookup(context).getBundleRange(context.tenant() + "/none/a"));
                });
    }

    private static Clusters clusters(Context context) {
        return context.admin().clusters();
    }

    private static Brokers brokers(Context context) {
        return context.admin().brokers();
    }

    private static Lookup lookup(Context context) {
        return context.admin().lookups();
    }
}
