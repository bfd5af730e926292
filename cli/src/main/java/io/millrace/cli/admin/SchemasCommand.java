package io.millrace.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.exit.ExitCode;
import io.millrace.cli.schema.SchemaChange;
import io.millrace.cli.schema.SchemaDiff;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Schemas of a topic. */
@Command(
        name = "schemas",
        mixinStandardHelpOptions = true,
        description = {
            "Lists, sets, compares and checks the schemas of a topic of a running broker, over HTTP.",
            "",
            "A topic is NAME, in public/default, or TENANT/NAMESPACE/NAME. A file has the definition alone, or what pulsar-admin takes: "
                    + "{\"type\": \"AVRO\", \"schema\": \"...\", \"properties\": {}}."
        })
public final class SchemasCommand extends Verbs {
    @Command(mixinStandardHelpOptions = true, description = "Lists the versions that a topic has.")
    void list(@Mixin AdminOptions admin, @Mixin TopicArgument argument) {
        JsonNode all = schemas(admin, argument).all();
        Output output = output();
        if (admin.json()) {
            output.json(all);
            return;
        }
        List<List<?>> rows = new ArrayList<>();
        for (JsonNode version : all) {
            rows.add(List.of(
                    version.path("version").asLong(),
                    version.path("type").asText(),
                    Instant.ofEpochMilli(version.path("timestamp").asLong()),
                    version.path("data").asText().length()));
        }
        output.table(List.of("version", "type", "since", "characters"), rows);
    }

    @Command(description = "Prints the definition of a version.")
    void get(
            @Option(
                            names = {"-h", "--help"},
                            usageHelp = true,
                            description = "Show this help message and exit.")
                    boolean help,
            @Mixin AdminOptions admin,
            @Mixin TopicArgument argument,
            @Option(names = "--version", paramLabel = "N", description = "The version (default: the latest).") @Nullable
                    Long version) {
        JsonNode answer = schemas(admin, argument).answer(version);
        Output output = output();
        if (admin.json()) {
            output.json(answer);
            return;
        }
        String data = answer.path("data").asText();
        JsonNode definition = SchemaFile.tree(data);
        if (data.isEmpty()) {
            output.line(answer.path("type").asText());
        } else if (definition == null) {
            output.line(data);
        } else {
            output.json(definition);
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description =
                    "Gives a topic a schema, which has to be compatible with those that it has; prints its version.")
    void set(
            @Mixin AdminOptions admin,
            @Mixin TopicArgument argument,
            @Parameters(index = "1", paramLabel = "FILE", description = "The schema.") Path file,
            @Mixin SchemaFile schema) {
        long version = schemas(admin, argument).set(schema.payload(file));
        Output output = output();
        if (admin.json()) {
            output.json(AdminClient.JSON.createObjectNode().put("version", version));
        } else {
            output.line("version " + version);
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description =
                    "Deletes all versions that a topic has; its messages stay, and nobody can decode them by a schema.")
    void delete(@Mixin AdminOptions admin, @Mixin TopicArgument argument) {
        schemas(admin, argument).delete();
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Prints what differs between two versions: fields, types, defaults, symbols, aliases.")
    void diff(
            @Mixin AdminOptions admin,
            @Mixin TopicArgument argument,
            @Parameters(index = "1", paramLabel = "V1", description = "The one version.") long before,
            @Parameters(index = "2", paramLabel = "V2", description = "The other.") long after) {
        AdminSchemas schemas = schemas(admin, argument);
        List<SchemaChange> changes;
        try {
            changes = SchemaDiff.between(schemas.schema(before), schemas.schema(after));
        } catch (IOException e) {
            throw new CommandFailure("the versions cannot be compared: " + e.getMessage(), e);
        }
        Output output = output();
        if (admin.json()) {
            output.json(json(changes));
        } else if (changes.isEmpty()) {
            output.line("versions " + before + " and " + after + " are the same, but for words of documentation");
        } else {
            List<List<?>> rows = new ArrayList<>();
            changes.forEach(change -> rows.add(List.of(
                    change.field().isEmpty() ? "(schema)" : change.field(),
                    kind(change),
                    change.before().isEmpty() ? "-" : change.before(),
                    change.after().isEmpty() ? "-" : change.after())));
            output.table(List.of("field", "change", "before", "after"), rows);
        }
    }

    private static ArrayNode json(List<SchemaChange> changes) {
        ArrayNode all = AdminClient.JSON.createArrayNode();
        for (SchemaChange change : changes) {
            all.addObject()
                    .put("field", change.field())
                    .put("change", kind(change))
                    .put("before", change.before())
                    .put("after", change.after());
        }
        return all;
    }

    private static String kind(SchemaChange change) {
        return change.kind().name().toLowerCase(Locale.ROOT);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Says whether a topic would take a schema, and changes nothing: ask before you deploy.",
                "",
                "Exit code 4 means that it would be refused."
            })
    int check(
            @Mixin AdminOptions admin,
            @Parameters(index = "0", paramLabel = "FILE", description = "The schema.") Path file,
            @Option(
                            names = "--topic",
                            required = true,
                            paramLabel = "TOPIC",
                            description = "The topic.",
                            converter = TopicPath.Converter.class)
                    TopicPath topic,
            @Mixin SchemaFile schema) {
        AdminSchemas schemas = new AdminSchemas(admin.client(), topic);
        ObjectNode payload = schema.payload(file);
        JsonNode verdict = schemas.verdict(payload);
        boolean isTaken = verdict.path("compatibility").asBoolean();
        Long known = isTaken ? schemas.versionOf(payload) : null;
        Output output = output();
        if (admin.json()) {
            output.json(((ObjectNode) verdict.deepCopy()).put("version", known));
        } else {
            output.line(told(verdict, known));
        }
        return isTaken ? ExitCode.OK : ExitCode.INCOMPATIBLE;
    }

    private static String told(JsonNode verdict, @Nullable Long known) {
        String rule = "by schema-compatibility="
                + verdict.path("schemaCompatibilityStrategy").asText();
        if (!verdict.path("compatibility").asBoolean()) {
            return "refused: " + verdict.path("reason").asText("it may not follow the versions of the topic, " + rule);
        } else if (known != null) {
            return "taken: it is version " + known + " of the topic";
        } else if (!verdict.path("autoUpdate").asBoolean(true)) {
            return "taken if it is set first, " + rule + ": clients bring no new schemas by schema-auto-update=false";
        }
        return "taken, " + rule + ": it would be a new version";
    }

    private static AdminSchemas schemas(AdminOptions admin, TopicArgument argument) {
        return new AdminSchemas(admin.client(), argument.topic());
    }
}
