package io.millrace.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Topics of a broker. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description = {
            "Lists, makes, looks at and deletes topics of a running broker, over HTTP.",
            "",
            "A topic is NAME, in public/default, or TENANT/NAMESPACE/NAME, or either with persistent:// or non-persistent:// before it."
        })
public final class TopicsCommand extends Verbs {
    private static final List<String> DOMAINS = List.of("persistent", "non-persistent");

    @Command(
            mixinStandardHelpOptions = true,
            description = "Lists the topics of a namespace, partitioned ones with how many partitions they have.")
    void list(
            @Mixin AdminOptions admin,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "NAMESPACE",
                            defaultValue = "public/default",
                            description = "tenant/namespace (default: ${DEFAULT-VALUE}).",
                            converter = NamespacePath.Converter.class)
                    NamespacePath namespace) {
        AdminClient client = admin.client();
        Map<String, Integer> partitions = new TreeMap<>();
        for (String domain : DOMAINS) {
            for (JsonNode name : client.get(namespace.in(domain) + "/partitioned")) {
                partitions.put(name.asText(), partitions(client, topic(name.asText())));
            }
        }
        for (JsonNode name : client.get(namespace.path() + "/topics?mode=ALL")) {
            if (!isPartition(name.asText(), partitions)) {
                partitions.put(name.asText(), 0);
            }
        }
        print(admin, partitions);
    }

    private void print(AdminOptions admin, Map<String, Integer> partitions) {
        Output output = output();
        ArrayNode all = AdminClient.JSON.createArrayNode();
        List<List<?>> rows = new ArrayList<>();
        partitions.forEach((name, count) -> {
            all.addObject().put("topic", name).put("partitions", count);
            rows.add(List.of(name, count == 0 ? "-" : count.toString()));
        });
        if (admin.json()) {
            output.json(all);
        } else {
            output.table(List.of("topic", "partitions"), rows);
        }
    }

    private static boolean isPartition(String name, Map<String, Integer> partitioned) {
        int end = name.lastIndexOf("-partition-");
        return end > 0 && partitioned.getOrDefault(name.substring(0, end), 0) > 0;
    }

    private static TopicPath topic(String name) {
        return new TopicPath.Converter().convert(name);
    }

    /** How many partitions a topic has; 0 of one that is not partitioned, or not there. */
    static int partitions(AdminClient client, TopicPath topic) {
        return client.get(topic.path() + "/partitions").path("partitions").asInt();
    }

    @Command(mixinStandardHelpOptions = true, description = "Makes a topic.")
    void create(
            @Mixin AdminOptions admin,
            @Mixin TopicArgument argument,
            @Option(names = "--partitions", paramLabel = "N", description = "Makes a partitioned topic of so many.")
                    @Nullable
                    Integer partitions) {
        if (partitions == null) {
            admin.client().put(argument.topic().path(), null);
        } else {
            admin.client().put(argument.topic().path() + "/partitions", partitions);
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Gives a partitioned topic more partitions; connected clients find the new ones.")
    void grow(
            @Mixin AdminOptions admin,
            @Mixin TopicArgument argument,
            @Parameters(index = "1", paramLabel = "N", description = "How many it has then.") int partitions) {
        admin.client().post(argument.topic().path() + "/partitions", partitions);
    }

    @Command(mixinStandardHelpOptions = true, description = "Deletes a topic that nobody uses, with all its messages.")
    void delete(
            @Mixin AdminOptions admin,
            @Mixin TopicArgument argument,
            @Option(names = "--force", description = "Whoever uses it.") boolean force) {
        AdminClient client = admin.client();
        String kind = partitions(client, argument.topic()) > 0 ? "/partitions" : "";
        client.delete(argument.topic().path() + kind + "?force=" + force);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Prints what has passed a topic, and where its subscriptions stand.")
    void stats(@Mixin AdminOptions admin, @Mixin TopicArgument argument) {
        JsonNode stats = statsOf(admin.client(), argument.topic());
        Output output = output();
        if (admin.json()) {
            output.json(stats);
            return;
        }
        output.table(
                List.of("topic", "producers", "published", "bytes", "delivered", "stored bytes"),
                List.of(List.of(
                        argument.topic().full(),
                        stats.path("publishers").size(),
                        stats.path("msgInCounter").asLong(),
                        stats.path("bytesInCounter").asLong(),
                        stats.path("msgOutCounter").asLong(),
                        stats.path("storageSize").asLong())));
        output.line("");
        SubscriptionsCommand.print(output, stats);
    }

    /** The figures of a topic, or the sum of those of its partitions. */
    static JsonNode statsOf(AdminClient client, TopicPath topic) {
        return partitions(client, topic) > 0
                ? client.get(topic.path() + "/partitioned-stats?perPartition=false")
                : client.get(topic.path() + "/stats");
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Ends a topic: no more is published, consumers hear when they have everything.")
    void terminate(@Mixin AdminOptions admin, @Mixin TopicArgument argument) {
        AdminClient client = admin.client();
        client.post(
                argument.topic().path()
                        + (partitions(client, argument.topic()) > 0 ? "/terminate/partitions" : "/terminate"),
                null);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Deletes all messages of a topic; no subscription has anything to receive.")
    void truncate(@Mixin AdminOptions admin, @Mixin TopicArgument argument) {
        admin.client().delete(argument.topic().path() + "/truncate");
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Takes a topic out of memory; clients come back by themselves.")
    void unload(@Mixin AdminOptions admin, @Mixin TopicArgument argument) {
        admin.client().put(argument.topic().path() + "/unload", null);
    }
}
