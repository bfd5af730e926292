package io.millrace.broker.admin;

import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.wire.admin.TenantInfo;
import io.millrace.wire.admin.TenantInfoImpl;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/** Tenants. Their roles are kept and have no effect, as nobody is asked who he is. */
final class TenantPaths {
    private static final String TENANTS = AdminApi.ROOT + "/tenants";
    private static final String TENANT = TENANTS + "/{tenant}";
    /** The properties of a tenant that hold what Pulsar knows of it: names, with commas between them. */
    private static final String ROLES = "admin-roles";

    private static final String CLUSTERS = "allowed-clusters";
    private static final int PRECONDITION_FAILED = 412;

    private final Namespaces namespaces;

    TenantPaths(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    void addTo(Routes routes) {
        routes.get(TENANTS, request -> Answers.json(namespaces.tenants()))
                .get(
                        TENANT,
                        request -> Answers.json(
                                namespaces.tenant(request.part("tenant")).thenApply(TenantPaths::info)))
                .put(
                        TENANT,
                        request -> Answers.done(namespaces.createTenant(request.part("tenant"), properties(request))))
                .post(
                        TENANT,
                        request -> Answers.done(namespaces.updateTenant(request.part("tenant"), properties(request))))
                .delete(TENANT, this::delete);
    }

    private CompletionStage<Response> delete(Request request) {
        String tenant = request.part("tenant");
        return Answers.done(
                request.flag("force") ? namespaces.deleteTenantWithTopics(tenant) : namespaces.deleteTenant(tenant));
    }

    private static TenantInfo info(Map<String, String> properties) {
        return TenantInfoImpl.builder()
                .adminRoles(names(properties.getOrDefault(ROLES, "")))
                .allowedClusters(names(properties.getOrDefault(CLUSTERS, ClusterPaths.CLUSTER)))
                .build();
    }

    private static Set<String> names(String text) {
        Set<String> names = new TreeSet<>(Arrays.asList(text.split(",", -1)));
        names.remove("");
        return names;
    }

    private static Map<String, String> properties(Request request) {
        TenantInfo info = Json.read(request, TenantInfoImpl.class);
        Set<String> clusters = info.getAllowedClusters() == null ? Set.of() : info.getAllowedClusters();
        if (clusters.isEmpty()) {
            throw new HttpRefusal(PRECONDITION_FAILED, "Clusters can not be empty");
        }
        if (!clusters.equals(Set.of(ClusterPaths.CLUSTER))) {
            throw new HttpRefusal(
                    PRECONDITION_FAILED, "Clusters do not exist: the only one is " + ClusterPaths.CLUSTER);
        }
        Set<String> roles = info.getAdminRoles() == null ? Set.of() : new TreeSet<>(info.getAdminRoles());
        if (roles.stream().anyMatch(role -> role.isBlank() || role.indexOf(',') >= 0)) {
            throw new HttpRefusal(PRECONDITION_FAILED, "a role is a word without commas");
        }
        return Map.of(ROLES, String.join(",", roles), CLUSTERS, ClusterPaths.CLUSTER);
    }
}
