package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.Set;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.admin.Tenants;
import org.apache.pulsar.common.policies.data.TenantInfo;

/** {@link Tenants}. */
public final class TenantScenarios {
    private static final String CLUSTER = "standalone";

    private TenantScenarios() {}

    public static void declare(Scenarios scenarios) {
        scenarios
                .add("create", TenantScenarios::create)
                .add("create-twice", context -> {
                    context.run("first", () -> tenants(context).createTenant(context.unique("a"), info()));
                    context.run("again", () -> tenants(context).createTenant(context.unique("a"), info()));
                })
                .add("create-without-clusters", context -> {
                    TenantInfo nothing = TenantInfo.builder().build();
                    context.run("create", () -> tenants(context).createTenant(context.unique("a"), nothing));
                })
                .add("create-of-an-unknown-cluster", context -> {
                    TenantInfo other = TenantInfo.builder()
                            .allowedClusters(Set.of("other"))
                            .build();
                    context.run("create", () -> tenants(context).createTenant(context.unique("a"), other));
                })
                .add("create-with-a-bad-name", context -> {
                    for (String bad : new String[] {"a b", "a%b", "a:b", "ä", "a.b", "a=b", "a_b", "-a"}) {
                        String name = context.unique("x") + bad;
                        context.run("named " + bad, () -> tenants(context).createTenant(name, info()));
                    }
                })
                .add("create-with-an-empty-role", context -> {
                    TenantInfo empty = TenantInfo.builder()
                            .allowedClusters(Set.of(CLUSTER))
                            .adminRoles(Set.of(" "))
                            .build();
                    context.run("create", () -> tenants(context).createTenant(context.unique("a"), empty));
                });
        changes(scenarios);
    }

    private static void changes(Scenarios scenarios) {
        scenarios
                .add("update", TenantScenarios::update)
                .add(
                        "update-of-none",
                        context -> context.run(
                                "update", () -> tenants(context).updateTenant(context.unique("none"), info())))
                .add("update-to-an-unknown-cluster", context -> {
                    TenantInfo other = TenantInfo.builder()
                            .allowedClusters(Set.of("other"))
                            .build();
                    String tenant = context.tenant();
                    context.run("update", () -> tenants(context).updateTenant(tenant, other));
                })
                .add(
                        "getTenantInfo-of-none",
                        context ->
                                context.callJson("get", () -> tenants(context).getTenantInfo(context.unique("none"))))
                .add(
                        "getTenantInfo-of-public",
                        context ->
                                context.callJson("get", () -> tenants(context).getTenantInfo("public")))
                .add(
                        "getTenantInfo-of-pulsar",
                        context ->
                                context.callJson("get", () -> tenants(context).getTenantInfo("pulsar")))
                .add("delete", context -> {
                    String tenant = context.tenant();
                    context.run("delete", () -> tenants(context).deleteTenant(tenant));
                    context.run("again", () -> tenants(context).deleteTenant(tenant));
                    context.call(
                            "still listed", () -> tenants(context).getTenants().contains(tenant));
                })
                .add("delete-with-a-namespace", context -> {
                    String namespace = context.namespace();
                    context.run("delete", () -> tenants(context).deleteTenant(context.tenant()));
                    context.run("namespace", () -> context.admin().namespaces().deleteNamespace(namespace));
                    context.run("again", () -> tenants(context).deleteTenant(context.tenant()));
                })
                .add("delete-by-force", context -> {
                    context.namespace();
                    context.run("delete", () -> tenants(context).deleteTenant(context.tenant(), true));
                });
    }

    private static void create(Context context) throws PulsarAdminException {
        String tenant = context.unique("a");
        context.run("create", () -> tenants(context).createTenant(tenant, info("one", "two")));
        context.callJson("info", () -> tenants(context).getTenantInfo(tenant));
        context.say("listed", tenants(context).getTenants().contains(tenant));
        context.say("always there", tenants(context).getTenants().containsAll(Set.of("public", "pulsar")));
    }

    private static void update(Context context) throws Exception {
        String tenant = context.tenant();
        context.run("update", () -> tenants(context).updateTenant(tenant, info("three")));
        context.callJson("info", () -> tenants(context).getTenantInfo(tenant));
        context.run(
                "to none",
                () -> tenants(context).updateTenant(tenant, TenantInfo.builder().build()));
        context.callJson("then", () -> tenants(context).getTenantInfo(tenant));
    }

    private static Tenants tenants(Context context) {
        return context.admin().tenants();
    }

    private static TenantInfo info(String... roles) {
        return TenantInfo.builder()
                .adminRoles(Set.of(roles))
                .allowedClusters(Set.of(CLUSTER))
                .build();
    }
}
