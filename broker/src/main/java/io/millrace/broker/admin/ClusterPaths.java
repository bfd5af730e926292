package io.millrace.broker.admin;

import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.log.BrokerLog;
import java.lang.module.ModuleDescriptor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The one cluster, {@code standalone}, and its one broker, which is healthy while its log takes acknowledgements, and ready
 * while it takes messages.
 */
final class ClusterPaths {
    /** The name of the only cluster. */
    static final String CLUSTER = "standalone";

    private static final String CLUSTERS = AdminApi.ROOT + "/clusters";
    private static final String BROKERS = AdminApi.ROOT + "/brokers";

    private final BrokerLog log;
    private final Addresses addresses;

    ClusterPaths(BrokerLog log, Addresses addresses) {
        this.log = log;
        this.addresses = addresses;
    }

    void addTo(Routes routes) {
        routes.get(CLUSTERS, request -> answer(List.of(CLUSTER)))
                .get(CLUSTERS + "/{cluster}", this::cluster)
                .get(CLUSTERS + "/{cluster}/failureDomains", request -> answer(Map.of()))
                .get(CLUSTERS + "/{cluster}/namespaceIsolationPolicies", ClusterPaths::isolation)
                .get(BROKERS + "/health", request -> ok(""))
                .get(BROKERS + "/ready", request -> ok(log.fullness()))
                .get(BROKERS + "/version", request -> done(Response.text(version())))
                .get(
                        BROKERS + "/leaderBroker",
                        request -> answer(
                                Map.of("brokerId", request.host(), "serviceUrl", addresses.http(request.host()))))
                .get(BROKERS + "/configuration", request -> answer(List.of()))
                .get(BROKERS + "/configuration/values", request -> answer(Map.of()))
                .get(BROKERS + "/configuration/runtime", request -> answer(configuration()))
                .get(BROKERS, request -> answer(List.of(request.host())))
                .get(BROKERS + "/{cluster}", request -> {
                    requireCluster(request);
                    return answer(List.of(request.host()));
                });
    }

    private CompletionStage<Response> cluster(Request request) {
        requireCluster(request);
        // Pulsar's class for it would bring the names of classes that a client loads; what is left out has its default.
        Map<String, Object> cluster = new LinkedHashMap<>();
        cluster.put("serviceUrl", addresses.http(request.host()));
        cluster.put("brokerServiceUrl", addresses.broker(request.host(), ""));
        cluster.put("brokerClientTlsEnabled", false);
        cluster.put("tlsAllowInsecureConnection", false);
        cluster.put("migrated", false);
        return answer(cluster);
    }

    private static void requireCluster(Request request) {
        String name = request.part("cluster");
        if (!name.equals(CLUSTER)) {
            throw new HttpRefusal(404, "Cluster does not exist: " + name + "; the only one is " + CLUSTER);
        }
    }

    private static CompletionStage<Response> isolation(Request request) {
        requireCluster(request);
        throw new HttpRefusal(404, "NamespaceIsolationPolicies for cluster " + CLUSTER + " does not exist");
    }

    /** What tools ask the configuration for. */
    private static Map<String, String> configuration() {
        return Map.of("clusterName", CLUSTER);
    }

    /** Also on a full disk: whoever takes the broker out of service for that keeps consumers from making room on it. */
    private CompletionStage<Response> ok(String remark) {
        log.checkDeltas();
        return done(Response.text(remark.isEmpty() ? "ok" : "ok, but: " + remark));
    }

    private static String version() {
        return Optional.ofNullable(ClusterPaths.class.getPackage().getImplementationVersion())
                .or(() -> Optional.ofNullable(ClusterPaths.class.getModule().getDescriptor())
                        .flatMap(ModuleDescriptor::rawVersion))
                .orElse("development");
    }

    private static CompletionStage<Response> answer(Object value) {
        return done(Json.answer(value));
    }

    private static CompletionStage<Response> done(Response response) {
        return CompletableFuture.completedFuture(response);
    }
}
