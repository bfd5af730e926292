package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.pulsar.client.admin.Schemas;
import org.apache.pulsar.client.admin.Topics;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.impl.MessageIdImpl;

/** Each method of {@link Topics} and {@link Schemas} that takes a topic, of one that is not there or cannot be. */
public final class TopicRefusals {
    private static final MessageId SOME = new MessageIdImpl(1, 1, -1);
    private static final String S = "s";

    /** A method called with a topic. */
    @FunctionalInterface
    private interface Verb {
        void call(Context context, String topic) throws Exception;
    }

    private TopicRefusals() {}

    public static void declare(Scenarios scenarios) {
        Map<String, Verb> verbs = new LinkedHashMap<>();
        topics(verbs);
        subscriptions(verbs);
        messages(verbs);
        schemas(verbs);
        verbs.forEach((name, verb) -> scenarios.add(name, context -> {
            context.run("no topic", () -> verb.call(context, context.topic("none")));
            context.run("no namespace", () -> verb.call(context, "persistent://" + context.tenant() + "/none/a"));
            context.run("no tenant", () -> verb.call(context, "persistent://" + context.unique("none") + "/ns/a"));
            context.run("no partition", () -> verb.call(context, context.topic("none-partition-0")));
            context.run("not stored", () -> verb.call(context, context.liveTopic("none")));
            context.run("no name", () -> verb.call(context, "persistent://" + context.namespace() + "/"));
            context.run("another domain", () -> verb.call(context, "other://" + context.namespace() + "/a"));
        }));
        Map<String, Verb> ofSubscriptions = new LinkedHashMap<>();
        subscriptions(ofSubscriptions);
        ofSubscriptions.remove("createSubscription");
        ofSubscriptions.forEach((name, verb) -> scenarios.add(name + "-of-no-subscription", context -> {
            context.admin().topics().createNonPartitionedTopic(context.topic("a"));
            context.admin().topics().createPartitionedTopic(context.topic("p"), 2);
            context.run("topic", () -> verb.call(context, context.topic("a")));
            context.run("partitioned topic", () -> verb.call(context, context.topic("p")));
            context.run("partition", () -> verb.call(context, context.topic("p-partition-0")));
        }));
    }

    private static void topics(Map<String, Verb> verbs) {
        verbs.put("createNonPartitionedTopic", (c, t) -> topics(c).createNonPartitionedTopic(t));
        verbs.put("createPartitionedTopic", (c, t) -> topics(c).createPartitionedTopic(t, 2));
        verbs.put("updatePartitionedTopic", (c, t) -> topics(c).updatePartitionedTopic(t, 4));
        verbs.put("createMissedPartitions", (c, t) -> topics(c).createMissedPartitions(t));
        verbs.put("getPartitionedTopicMetadata", (c, t) -> topics(c).getPartitionedTopicMetadata(t));
        verbs.put("deletePartitionedTopic", (c, t) -> topics(c).deletePartitionedTopic(t));
        verbs.put("delete", (c, t) -> topics(c).delete(t));
        verbs.put("unload", (c, t) -> topics(c).unload(t));
        verbs.put("terminateTopic", (c, t) -> topics(c).terminateTopic(t));
        verbs.put("terminatePartitionedTopic", (c, t) -> topics(c).terminatePartitionedTopic(t));
        verbs.put("truncate", (c, t) -> topics(c).truncate(t));
        verbs.put("getProperties", (c, t) -> topics(c).getProperties(t));
        verbs.put("updateProperties", (c, t) -> topics(c).updateProperties(t, Map.of("a", "1")));
        verbs.put("removeProperties", (c, t) -> topics(c).removeProperties(t, "a"));
        verbs.put("getPermissions", (c, t) -> topics(c).getPermissions(t));
        verbs.put("getStats", (c, t) -> topics(c).getStats(t));
        verbs.put("getInternalStats", (c, t) -> topics(c).getInternalStats(t));
        verbs.put("getInternalInfo", (c, t) -> topics(c).getInternalInfo(t));
        verbs.put("getPartitionedStats", (c, t) -> topics(c).getPartitionedStats(t, true));
        verbs.put("getPartitionedInternalStats", (c, t) -> topics(c).getPartitionedInternalStats(t));
        verbs.put("triggerCompaction", (c, t) -> topics(c).triggerCompaction(t));
        verbs.put("compactionStatus", (c, t) -> topics(c).compactionStatus(t));
        verbs.put("trimTopic", (c, t) -> topics(c).trimTopic(t));
        verbs.put("offloadStatus", (c, t) -> topics(c).offloadStatus(t));
    }

    private static void subscriptions(Map<String, Verb> verbs) {
        verbs.put("getSubscriptions", (c, t) -> topics(c).getSubscriptions(t));
        verbs.put("createSubscription", (c, t) -> topics(c).createSubscription(t, S, MessageId.latest));
        verbs.put("deleteSubscription", (c, t) -> topics(c).deleteSubscription(t, S));
        verbs.put("skipAllMessages", (c, t) -> topics(c).skipAllMessages(t, S));
        verbs.put("skipMessages", (c, t) -> topics(c).skipMessages(t, S, 1));
        verbs.put("expireMessages", (c, t) -> topics(c).expireMessages(t, S, 1));
        verbs.put("expireMessages-to-an-id", (c, t) -> topics(c).expireMessages(t, S, SOME, false));
        verbs.put("expireMessagesForAllSubscriptions", (c, t) -> topics(c).expireMessagesForAllSubscriptions(t, 1));
        verbs.put("peekMessages", (c, t) -> topics(c).peekMessages(t, S, 1));
        verbs.put("resetCursor-to-a-time", (c, t) -> topics(c).resetCursor(t, S, 0));
        verbs.put("resetCursor-to-an-id", (c, t) -> topics(c).resetCursor(t, S, SOME));
        verbs.put("getSubscriptionProperties", (c, t) -> topics(c).getSubscriptionProperties(t, S));
        verbs.put(
                "updateSubscriptionProperties",
                (c, t) -> topics(c).updateSubscriptionProperties(t, S, Map.of("a", "1")));
        verbs.put("analyzeSubscriptionBacklog", (c, t) -> topics(c).analyzeSubscriptionBacklog(t, S, Optional.empty()));
        verbs.put("getReplicatedSubscriptionStatus", (c, t) -> topics(c).getReplicatedSubscriptionStatus(t, S));
    }

    @SuppressWarnings("deprecation") // programs call it
    private static void messages(Map<String, Verb> verbs) {
        verbs.put("getMessageById", (c, t) -> topics(c).getMessageById(t, 1, 1));
        verbs.put("getMessageIdByTimestamp", (c, t) -> topics(c).getMessageIdByTimestamp(t, 0));
        verbs.put("getMessageIdByIndex", (c, t) -> topics(c).getMessageIdByIndex(t, 0));
        verbs.put("getLastMessageId", (c, t) -> topics(c).getLastMessageId(t));
        verbs.put("examineMessage", (c, t) -> topics(c).examineMessage(t, "earliest", 1));
        verbs.put("getBacklogSizeByMessageId", (c, t) -> topics(c).getBacklogSizeByMessageId(t, SOME));
    }

    private static void schemas(Map<String, Verb> verbs) {
        verbs.put("getSchemaInfo", (c, t) -> schemas(c).getSchemaInfo(t));
        verbs.put("getSchemaInfo-by-version", (c, t) -> schemas(c).getSchemaInfo(t, 0));
        verbs.put("getSchemaInfoWithVersion", (c, t) -> schemas(c).getSchemaInfoWithVersion(t));
        verbs.put("getAllSchemas", (c, t) -> schemas(c).getAllSchemas(t));
        verbs.put("createSchema", (c, t) -> schemas(c).createSchema(t, Schema.STRING.getSchemaInfo()));
        verbs.put("deleteSchema", (c, t) -> schemas(c).deleteSchema(t));
        verbs.put("testCompatibility", (c, t) -> schemas(c).testCompatibility(t, Schema.STRING.getSchemaInfo()));
        verbs.put("getVersionBySchema", (c, t) -> schemas(c).getVersionBySchema(t, Schema.STRING.getSchemaInfo()));
    }

    private static Topics topics(Context context) {
        return context.admin().topics();
    }

    private static Schemas schemas(Context context) {
        return context.admin().schemas();
    }
}
