package io.millrace.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Namespaces of a broker, with the tenants that they are in. */
@Command(
        name = "namespaces",
        mixinStandardHelpOptions = true,
        description = "Lists, makes and deletes namespaces of a running broker, over HTTP.")
public final class NamespacesCommand extends Verbs {
    @Command(mixinStandardHelpOptions = true, description = "Lists the namespaces of a tenant, or of all.")
    void list(
            @Mixin AdminOptions admin,
            @Parameters(arity = "0..1", paramLabel = "TENANT", description = "The tenant.") @Nullable String tenant) {
        AdminClient client = admin.client();
        List<String> tenants = new ArrayList<>();
        if (tenant == null) {
            client.get("tenants").forEach(each -> tenants.add(each.asText()));
        } else {
            tenants.add(tenant);
        }
        ArrayNode all = AdminClient.JSON.createArrayNode();
        for (String each : tenants) {
            client.get("namespaces/" + TopicPath.part(each)).forEach(all::add);
        }
        Output output = output();
        if (admin.json()) {
            output.json(all);
        } else {
            List<List<?>> rows = new ArrayList<>();
            all.forEach(name -> rows.add(List.of(name.asText())));
            output.table(List.of("namespace"), rows);
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "Makes a namespace, and its tenant where that is missing.")
    void create(
            @Mixin AdminOptions admin,
            @Parameters(
                            paramLabel = "NAMESPACE",
                            description = "tenant/namespace.",
                            converter = NamespacePath.Converter.class)
                    NamespacePath namespace) {
        AdminClient client = admin.client();
        String tenant = namespace.tenant();
        boolean isThere = false;
        for (JsonNode each : client.get("tenants")) {
            isThere |= each.asText().equals(tenant);
        }
        if (!isThere) {
            List<String> clusters = new ArrayList<>();
            client.get("clusters").forEach(cluster -> clusters.add(cluster.asText()));
            client.put(
                    "tenants/" + TopicPath.part(tenant), Map.of("adminRoles", List.of(), "allowedClusters", clusters));
        }
        client.put(namespace.path(), Map.of());
    }

    @Command(mixinStandardHelpOptions = true, description = "Deletes a namespace that has no topics.")
    void delete(
            @Mixin AdminOptions admin,
            @Parameters(
                            paramLabel = "NAMESPACE",
                            description = "tenant/namespace.",
                            converter = NamespacePath.Converter.class)
                    NamespacePath namespace,
            @Option(names = "--force", description = "Deletes its topics first, whoever uses them.") boolean force) {
        admin.client().delete(namespace.path() + "?force=" + force);
    }
}
