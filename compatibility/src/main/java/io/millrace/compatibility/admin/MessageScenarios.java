package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Messages;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.Topics;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.Producer;

/** {@link Topics}: single messages. */
public final class MessageScenarios {
    private static final String A = "a";

    private MessageScenarios() {}

    public static void declare(Scenarios scenarios) {
        peeks(scenarios);
        ids(scenarios);
        examinations(scenarios);
    }

    private static void peeks(Scenarios scenarios) {
        scenarios
                .add("peekMessages", context -> {
                    three(context);
                    List<Message<byte[]>> peeked = topics(context).peekMessages(context.topic(A), "s", 2);
                    context.say("count", peeked.size());
                    for (Message<byte[]> message : peeked) {
                        tell(context, message);
                    }
                })
                .add("peekMessages-more-than-there-are", context -> {
                    three(context);
                    context.call(
                            "count",
                            () -> topics(context)
                                    .peekMessages(context.topic(A), "s", 10)
                                    .size());
                })
                .add("peekMessages-of-a-subscription-that-there-is-not", context -> {
                    three(context);
                    List<Message<byte[]>> peeked = topics(context).peekMessages(context.topic(A), "none", 2);
                    context.say("count", peeked.size());
                    for (Message<byte[]> message : peeked) {
                        tell(context, message);
                    }
                })
                .add("peekMessages-of-odd-numbers", context -> {
                    three(context);
                    for (int count : new int[] {0, -1}) {
                        context.call(
                                count + " messages",
                                () -> topics(context)
                                        .peekMessages(context.topic(A), "s", count)
                                        .size());
                    }
                })
                .add("peekMessages-of-a-batch", context -> {
                    topics(context).createSubscription(context.topic(A), "s", MessageId.earliest);
                    batch(context, CompressionType.NONE);
                    context.call(
                            "texts",
                            () -> topics(context).peekMessages(context.topic(A), "s", 3).stream()
                                    .map(Messages::text)
                                    .toList());
                })
                .add("peekMessages-compressed", context -> {
                    topics(context).createSubscription(context.topic(A), "s", MessageId.earliest);
                    batch(context, CompressionType.ZLIB);
                    context.call(
                            "texts",
                            () -> topics(context).peekMessages(context.topic(A), "s", 3).stream()
                                    .map(Messages::text)
                                    .toList());
                })
                .add("peekMessages-compressed-with-LZ4", context -> {
                    topics(context).createSubscription(context.topic(A), "s", MessageId.earliest);
                    batch(context, CompressionType.LZ4);
                    context.call(
                            "texts",
                            () -> topics(context).peekMessages(context.topic(A), "s", 3).stream()
                                    .map(Messages::text)
                                    .toList());
                });
    }

    @SuppressWarnings("deprecation") // programs call it
    private static void ids(Scenarios scenarios) {
        scenarios
                .add("getMessageById", context -> {
                    MessageIdAdv id = (MessageIdAdv) three(context).get(1);
                    tell(context, topics(context).getMessageById(context.topic(A), id.getLedgerId(), id.getEntryId()));
                    context.run(
                            "beyond the last",
                            () -> topics(context)
                                    .getMessageById(context.topic(A), id.getLedgerId(), id.getEntryId() + 100));
                    context.run("of no ledger", () -> topics(context).getMessageById(context.topic(A), 987_654_321, 0));
                })
                .add("getMessagesById", context -> {
                    topics(context).createSubscription(context.topic(A), "s", MessageId.earliest);
                    MessageIdAdv id = (MessageIdAdv) batch(context, CompressionType.NONE);
                    context.call(
                            "texts",
                            () ->
                                    topics(context)
                                            .getMessagesById(context.topic(A), id.getLedgerId(), id.getEntryId())
                                            .stream()
                                            .map(Messages::text)
                                            .toList());
                })
                .add("getMessageIdByTimestamp", context -> {
                    three(context);
                    long later = System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1);
                    context.call("first", () -> topics(context).getMessageIdByTimestamp(context.topic(A), 0));
                    context.run(
                            "beyond the last", () -> topics(context).getMessageIdByTimestamp(context.topic(A), later));
                })
                .add("getMessageIdByIndex", context -> {
                    three(context);
                    context.run("first", () -> topics(context).getMessageIdByIndex(context.topic(A), 0));
                })
                .add("getLastMessageId", context -> {
                    three(context);
                    context.call("last", () -> topics(context).getLastMessageId(context.topic(A)));
                })
                .add("getLastMessageId-of-a-batch", context -> {
                    topics(context).createSubscription(context.topic(A), "s", MessageId.earliest);
                    batch(context, CompressionType.NONE);
                    context.call("last", () -> topics(context).getLastMessageId(context.topic(A)));
                })
                .add("getLastMessageId-of-a-partition", context -> {
                    topics(context).createPartitionedTopic(context.topic("p"), 1);
                    topics(context).createSubscription(context.topic("p"), "s", MessageId.earliest);
                    Messages.publish(context, context.topic("p"), "one");
                    context.call("last", () -> topics(context).getLastMessageId(context.topic("p-partition-0")));
                })
                .add("getLastMessageId-without-messages", context -> {
                    topics(context).createNonPartitionedTopic(context.topic(A));
                    context.call(
                            "entry",
                            () -> ((MessageIdAdv) topics(context).getLastMessageId(context.topic(A))).getEntryId());
                });
    }

    private static void examinations(Scenarios scenarios) {
        scenarios
                .add("examineMessage", context -> {
                    three(context);
                    for (String from : new String[] {"earliest", "latest"}) {
                        for (long at = 0; at <= 4; at++) {
                            long position = at;
                            context.call(
                                    from + " " + at,
                                    () -> Messages.text(
                                            topics(context).examineMessage(context.topic(A), from, position)));
                        }
                    }
                    context.run("of another end", () -> topics(context).examineMessage(context.topic(A), "middle", 1));
                })
                .add("examineMessage-without-messages", context -> {
                    topics(context).createNonPartitionedTopic(context.topic(A));
                    context.run("first", () -> topics(context).examineMessage(context.topic(A), "earliest", 1));
                })
                .add("examineMessage-of-a-partitioned-topic", context -> {
                    topics(context).createPartitionedTopic(context.topic("p"), 1);
                    context.run("first", () -> topics(context).examineMessage(context.topic("p"), "earliest", 1));
                });
    }

    private static void tell(Context context, Message<byte[]> message) {
        context.say("text", Messages.text(message));
        context.say("id", context.id(message.getMessageId()));
        context.say("key", message.getKey());
        context.say("properties with those of the broker", new TreeMap<>(message.getProperties()).keySet());
        context.say("own property", message.getProperty("text"));
    }

    private static List<MessageId> three(Context context) throws Exception {
        topics(context).createSubscription(context.topic(A), "s", MessageId.earliest);
        return Messages.publish(context, context.topic(A), "one", "two", "three");
    }

    /** One entry of three messages; returns the id of the last. */
    private static MessageId batch(Context context, CompressionType compression) throws Exception {
        try (Producer<byte[]> producer = context.client()
                .newProducer()
                .topic(context.topic(A))
                .compressionType(compression)
                .batchingMaxPublishDelay(1, TimeUnit.HOURS)
                .create()) {
            CompletableFuture<MessageId> last = CompletableFuture.completedFuture(MessageId.earliest);
            for (String text : new String[] {"one", "two", "three"}) {
                last = producer.sendAsync(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
            producer.flush();
            return last.get();
        }
    }

    private static Topics topics(Context context) {
        return context.admin().topics();
    }
}
