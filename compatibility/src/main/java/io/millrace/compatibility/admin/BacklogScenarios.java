package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Messages;
import io.millrace.compatibility.scenario.Scenarios;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.Topics;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.impl.MessageIdImpl;
import org.apache.pulsar.common.stats.AnalyzeSubscriptionBacklogResult;

/** {@link Topics#analyzeSubscriptionBacklog}: what a subscription has left, message by message. */
public final class BacklogScenarios {
    private static final String A = "a";
    private static final String S = "s";

    private BacklogScenarios() {}

    public static void declare(Scenarios scenarios) {
        states(scenarios);
        starts(scenarios);
    }

    private static void states(Scenarios scenarios) {
        scenarios
                .add("of-nothing", context -> {
                    topics(context).createSubscription(context.topic(A), S, MessageId.earliest);
                    analyze(context, "backlog", Optional.empty());
                })
                .add("of-what-is-not-acknowledged", context -> {
                    four(context);
                    acknowledge(context, Set.of("two", "four"));
                    context.await("two are left", () -> TopicScenarios.backlog(context, A, S) == 2);
                    analyze(context, "backlog", Optional.empty());
                })
                .add("of-nothing-any-more", context -> {
                    four(context);
                    topics(context).skipAllMessages(context.topic(A), S);
                    analyze(context, "backlog", Optional.empty());
                })
                .add("of-batches", context -> {
                    topics(context).createSubscription(context.topic(A), S, MessageId.earliest);
                    batches(context);
                    analyze(context, "backlog", Optional.empty());
                    acknowledge(context, Set.of("m1", "m4", "m5", "m6"));
                    context.await("one is left", () -> TopicScenarios.backlog(context, A, S) == 1);
                    analyze(context, "then", Optional.empty());
                })
                .add("under-a-consumer", context -> {
                    four(context);
                    try (Consumer<byte[]> consumer = shared(context)) {
                        context.say("received", Messages.receiveAll(consumer, Set.of("one", "two", "three", "four")));
                        analyze(context, "backlog", Optional.empty());
                        context.say("connected", consumer.isConnected());
                    }
                })
                .add("of-delayed-messages", context -> {
                    topics(context).createSubscription(context.topic(A), S, MessageId.earliest);
                    try (Producer<byte[]> producer = context.client()
                            .newProducer()
                            .topic(context.topic(A))
                            .enableBatching(false)
                            .create()) {
                        producer.newMessage()
                                .value(new byte[] {1})
                                .deliverAfter(1, TimeUnit.HOURS)
                                .send();
                        producer.send(new byte[] {2});
                    }
                    analyze(context, "backlog", Optional.empty());
                })
                .add("of-an-unloaded-topic", context -> {
                    four(context);
                    topics(context).unload(context.topic(A));
                    analyze(context, "backlog", Optional.empty());
                })
                .add("of-partitions", context -> {
                    String topic = context.topic(A);
                    topics(context).createPartitionedTopic(topic, 2);
                    topics(context).createSubscription(topic, S, MessageId.earliest);
                    Messages.publish(context, topic + "-partition-1", "one", "two");
                    tell(
                            context,
                            "whole",
                            () -> topics(context).analyzeSubscriptionBacklog(topic, S, Optional.empty()));
                    tell(
                            context,
                            "partition",
                            () -> topics(context)
                                    .analyzeSubscriptionBacklog(topic + "-partition-1", S, Optional.empty()));
                });
    }

    private static void starts(Scenarios scenarios) {
        scenarios
                .add("from-an-id", context -> {
                    List<MessageId> ids = four(context);
                    analyze(context, "third", Optional.of(ids.get(2)));
                    analyze(context, "last", Optional.of(ids.get(3)));
                    topics(context).skipMessages(context.topic(A), S, 2);
                    analyze(context, "before what is left", Optional.of(ids.get(0)));
                })
                .add("from-the-ends", context -> {
                    four(context);
                    analyze(context, "earliest", Optional.of(MessageId.earliest));
                    analyze(context, "latest", Optional.of(MessageId.latest));
                })
                .add("in-parts", context -> {
                    four(context);
                    tell(
                            context,
                            "of two",
                            () -> topics(context).analyzeSubscriptionBacklog(context.topic(A), S, Optional.empty(), 2));
                    tell(
                            context,
                            "until there are three",
                            () -> topics(context)
                                    .analyzeSubscriptionBacklog(
                                            context.topic(A), S, Optional.empty(), found -> found.getEntries() >= 3));
                });
    }

    private static void analyze(Context context, String key, Optional<MessageId> start) {
        tell(context, key, () -> topics(context).analyzeSubscriptionBacklog(context.topic(A), S, start));
    }

    /** An answer of the broker. */
    private interface Analysis {
        AnalyzeSubscriptionBacklogResult ask() throws Exception;
    }

    private static void tell(Context context, String key, Analysis analysis) {
        context.call(key, () -> {
            AnalyzeSubscriptionBacklogResult found = analysis.ask();
            return "entries " + found.getEntries() + ", messages " + found.getMessages() + ", accepted "
                    + found.getFilterAcceptedEntries() + " and " + found.getFilterAcceptedMessages() + ", markers "
                    + found.getMarkerMessages() + ", aborted " + found.isAborted() + ", first "
                    + id(context, found.getFirstMessageId()) + ", last " + id(context, found.getLastMessageId());
        });
    }

    /** An id that is told as text, as others are written. */
    private static String id(Context context, String told) {
        if (told == null) {
            return "none";
        }
        int colon = told.indexOf(':');
        return context.id(new MessageIdImpl(
                Long.parseLong(told.substring(0, colon)), Long.parseLong(told.substring(colon + 1)), -1));
    }

    private static List<MessageId> four(Context context) throws Exception {
        topics(context).createSubscription(context.topic(A), S, MessageId.earliest);
        topics(context).createSubscription(context.topic(A), "keeper", MessageId.earliest);
        return Messages.publish(context, context.topic(A), "one", "two", "three", "four");
    }

    /** Two entries of three messages. */
    private static void batches(Context context) throws Exception {
        try (Producer<byte[]> producer = context.client()
                .newProducer()
                .topic(context.topic(A))
                .batchingMaxMessages(3)
                .batchingMaxPublishDelay(1, TimeUnit.HOURS)
                .create()) {
            for (int i = 1; i <= 6; i++) {
                var unused = producer.sendAsync(("m" + i).getBytes(StandardCharsets.UTF_8));
            }
            producer.flush();
        }
    }

    private static Consumer<byte[]> shared(Context context) throws Exception {
        return context.client()
                .newConsumer()
                .topic(context.topic(A))
                .subscriptionName(S)
                .subscriptionType(SubscriptionType.Shared)
                .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS)
                .enableBatchIndexAcknowledgment(true)
                .subscribe();
    }

    /** Receives all messages up to the last of these and acknowledges these. */
    private static void acknowledge(Context context, Set<String> texts) throws Exception {
        try (Consumer<byte[]> consumer = shared(context)) {
            int left = texts.size();
            while (left > 0) {
                Message<byte[]> message = consumer.receive(20, TimeUnit.SECONDS);
                if (texts.contains(Messages.text(message))) {
                    consumer.acknowledge(message);
                    left--;
                }
            }
        }
    }

    private static Topics topics(Context context) {
        return context.admin().topics();
    }
}
