package io.millrace.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Namespaces of a broker, with the tenants that they are in. */
@Command(
        name = "namespaces",
        mixinStandardHelpOptions = true,
        description = "Lists, makes and deletes namespaces of a running broker, over HTTP.")
public final class NamespacesCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before a verb runs
    private CommandSpec spec;

    @Override
    public void run() {
        throw Verbs.missing(spec);
    }

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
        Output output = new Output(spec);
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
            @Parameters(paramLabel = "NAMESPACE", description = "tenant/namespace.") String namespace) {
        String path = path(namespace);
        AdminClient client = admin.client();
        String tenant = namespace.substring(0, namespace.indexOf('/'));
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
        client.put(path, Map.of());
    }

    @Command(mixinStandardHelpOptions = true, description = "Deletes a namespace that has no topics.")
    void delete(
            @Mixin AdminOptions admin,
            @Parameters(paramLabel = "NAMESPACE", description = "tenant/namespace.") String namespace,
            @Option(names = "--force", description = "Deletes its topics first, whoever uses them.") boolean force) {
        admin.client().delete(path(namespace) + "?force=" + force);
    }

    private String path(String namespace) {
        return path(spec, namespace);
    }

    /** Where the API has a namespace. */
    static String path(CommandSpec spec, String namespace) {
        String[] parts = namespace.split("/", -1);
        if (parts.length != 2) {
            throw new ParameterException(
                    spec.commandLine(), "a namespace is tenant/namespace, but this is '" + namespace + "'");
        }
        return "namespaces/" + TopicPath.part(parts[0]) + '/' + TopicPath.part(parts[1]);
    }
}
