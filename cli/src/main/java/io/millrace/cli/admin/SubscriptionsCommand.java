package io.millrace.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.schema.MessageValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Subscriptions of a topic. */
@Command(
        name = "subscriptions",
        mixinStandardHelpOptions = true,
        description = {
            "Lists, makes, moves, looks into and deletes subscriptions of a topic of a running broker, over HTTP.",
            "",
            "A topic is NAME, in public/default, or TENANT/NAMESPACE/NAME. A message is LEDGER:ENTRY, or"
                    + " LEDGER:ENTRY:INDEX in a batch, as consume and peek print it; a new subscription has the whole"
                    + " batch."
        })
public final class SubscriptionsCommand extends Verbs {
    @Command(
            mixinStandardHelpOptions = true,
            description = "Lists the subscriptions of a topic, and how much each has to receive.")
    void list(@Mixin AdminOptions admin, @Mixin TopicArgument argument) {
        JsonNode stats = TopicsCommand.statsOf(admin.client(), argument.topic());
        Output output = output();
        if (admin.json()) {
            output.json(stats.path("subscriptions"));
        } else {
            print(output, stats);
        }
    }

    /** Prints the subscriptions that a topic's figures have. */
    static void print(Output output, JsonNode stats) {
        List<List<?>> rows = new ArrayList<>();
        stats.path("subscriptions").fields().forEachRemaining(each -> {
            JsonNode figures = each.getValue();
            rows.add(List.of(
                    each.getKey(),
                    figures.path("type").asText("-"),
                    figures.path("msgBacklog").asLong(),
                    figures.path("unackedMessages").asLong(),
                    figures.path("consumers").size()));
        });
        output.table(List.of("subscription", "type", "backlog", "unacknowledged", "consumers"), rows);
    }

    @Command(mixinStandardHelpOptions = true, description = "Makes a subscription.")
    void create(
            @Mixin AdminOptions admin,
            @Mixin SubscriptionArgument subscription,
            @Option(
                            names = "--from",
                            paramLabel = "WHERE",
                            defaultValue = "latest",
                            description = "earliest, latest, or a message (default: ${DEFAULT-VALUE}).")
                    String from) {
        admin.client().put(subscription.path(), message(from));
    }

    @Command(mixinStandardHelpOptions = true, description = "Deletes a subscription that has no consumers.")
    void delete(
            @Mixin AdminOptions admin,
            @Mixin SubscriptionArgument subscription,
            @Option(names = "--force", description = "Whoever consumes it.") boolean force) {
        admin.client().delete(subscription.path() + "?force=" + force);
    }

    @Command(mixinStandardHelpOptions = true, description = "Acknowledges what a subscription would receive next.")
    void skip(
            @Mixin AdminOptions admin,
            @Mixin SubscriptionArgument subscription,
            @Parameters(index = "2", arity = "0..1", paramLabel = "N", description = "So many messages.") @Nullable
                    Long count,
            @Option(names = "--all", description = "All there are.") boolean all) {
        if (all == (count != null)) {
            throw new ParameterException(commandLine(), "name how many to skip, or --all");
        }
        admin.client().post(subscription.path() + (all ? "/skip_all" : "/skip/" + count), null);
    }

    @Command(mixinStandardHelpOptions = true, description = "Acknowledges what is older than so many seconds.")
    void expire(
            @Mixin AdminOptions admin,
            @Mixin SubscriptionArgument subscription,
            @Parameters(index = "2", paramLabel = "SECONDS", description = "Their age.") long seconds) {
        admin.client().post(subscription.path() + "/expireMessages/" + seconds, null);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Has a subscription go on from somewhere else; its consumers come back by themselves.")
    void reset(
            @Mixin AdminOptions admin,
            @Mixin SubscriptionArgument subscription,
            @Option(
                            names = "--to",
                            paramLabel = "WHERE",
                            required = true,
                            description = "earliest, latest, a message, or a time as 2026-01-31T12:00:00Z.")
                    String to) {
        Long time = Positions.time(to);
        String path = subscription.path() + "/resetcursor";
        if (time != null) {
            admin.client().post(path + '/' + time, null);
        } else {
            admin.client().post(path, message(to));
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Prints the messages that a subscription would receive next, and acknowledges none.")
    void peek(
            @Mixin AdminOptions admin,
            @Mixin SubscriptionArgument subscription,
            @Option(
                            names = "--count",
                            paramLabel = "N",
                            defaultValue = "1",
                            description = "So many, of each partition (default: ${DEFAULT-VALUE}).")
                    int count) {
        AdminClient client = admin.client();
        TopicPath topic = subscription.topic();
        int partitions = TopicsCommand.partitions(client, topic);
        List<ObjectNode> messages = new ArrayList<>();
        MessageValues values = new MessageValues(new AdminSchemas(client, topic));
        for (int i = 0; i < Math.max(1, partitions); i++) {
            TopicPath part = partitions == 0 ? topic : topic.partition(i);
            messages.addAll(new Peek(client, subscription.pathIn(part), values).first(count));
        }
        Output output = output();
        if (admin.json()) {
            output.json(AdminClient.JSON.createArrayNode().addAll(messages));
        } else {
            messages.forEach(message -> output.line(String.format(
                    Locale.ROOT,
                    "%s\t%s\t%s",
                    message.path("id").asText(),
                    message.path("key").asText("-"),
                    shown(message))));
        }
    }

    /** The value by its schema, or the bytes as a text; or why it has neither. */
    private static String shown(ObjectNode message) {
        if (!message.has("value") && !message.has("bytes")) {
            return '(' + message.path("error").asText() + ')';
        }
        if (!message.has("value")) {
            return message.path("text").asText(message.path("bytes").asText());
        }
        JsonNode value = message.get("value");
        return value.isTextual() ? value.textValue() : value.toString();
    }

    private Map<String, Long> message(String where) {
        Map<String, Long> message = Positions.message(where);
        if (message == null) {
            throw new ParameterException(
                    commandLine(), "this is neither earliest, latest nor LEDGER:ENTRY: '" + where + "'");
        }
        return message;
    }
}
