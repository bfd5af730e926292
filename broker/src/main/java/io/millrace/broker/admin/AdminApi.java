package io.millrace.broker.admin;

import io.millrace.broker.http.Routes;
import io.millrace.broker.log.BrokerLog;
import io.millrace.broker.namespace.Namespaces;

/** The whole of it: each theme adds its paths. */
public final class AdminApi {
    /** What every path of it begins with. */
    static final String ROOT = "/admin/v2";

    private AdminApi() {}

    /** The paths of a broker of these names, which that log keeps, at that address; it takes messages of so many bytes at most. */
    public static Routes routes(BrokerLog log, Namespaces namespaces, Addresses addresses, int maxMessageBytes) {
        Routes routes = new Routes(Refusals::of);
        new ClusterPaths(log, addresses).addTo(routes);
        new LookupPaths(namespaces, addresses).addTo(routes);
        new TenantPaths(namespaces).addTo(routes);
        new NamespacePaths(namespaces).addTo(routes);
        new PolicyPaths(namespaces, maxMessageBytes).addTo(routes);
        new FixedPolicyPaths(namespaces).addTo(routes);
        new PermissionPaths(namespaces).addTo(routes);
        new NamespaceProperties(namespaces).addTo(routes);
        new TopicPaths(namespaces).addTo(routes);
        new PartitionPaths(namespaces).addTo(routes);
        new CompactionPaths(namespaces).addTo(routes);
        new BacklogSizePath(namespaces).addTo(routes);
        StatsOfTopics stats = new StatsOfTopics(namespaces);
        new StatsPaths(namespaces, stats).addTo(routes);
        new BrokerStatsPath(namespaces, stats).addTo(routes);
        new MetricsPath(namespaces, stats).addTo(routes);
        new SubscriptionPaths(namespaces).addTo(routes);
        new SubscriptionPropertyPaths(namespaces).addTo(routes);
        new BacklogPaths(namespaces).addTo(routes);
        new BacklogAnalysisPath(namespaces).addTo(routes);
        new MessagePaths(namespaces).addTo(routes);
        new SchemaPaths(namespaces).addTo(routes);
        return routes;
    }
}
