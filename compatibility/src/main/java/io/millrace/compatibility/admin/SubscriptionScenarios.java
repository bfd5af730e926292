package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Messages;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.Topics;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.SubscriptionType;

/** {@link Topics}: subscriptions. */
public final class SubscriptionScenarios {
    private static final String A = "a";
    private static final String S = "s";

    private SubscriptionScenarios() {}

    public static void declare(Scenarios scenarios) {
        creation(scenarios);
        deletion(scenarios);
        skipping(scenarios);
        resets(scenarios);
        expiry(scenarios);
        rest(scenarios);
    }

    private static void creation(Scenarios scenarios) {
        scenarios
                .add("createSubscription", context -> {
                    List<MessageId> ids = Messages.publish(context, context.topic(A), "one", "two", "three");
                    create(context, "first", MessageId.earliest);
                    create(context, "last", MessageId.latest);
                    create(context, "middle", ids.get(1));
                    context.run(
                            "again",
                            () -> topics(context).createSubscription(context.topic(A), "middle", MessageId.latest));
                    context.call("list", () -> Set.copyOf(topics(context).getSubscriptions(context.topic(A))));
                    for (String name : new String[] {"first", "last", "middle"}) {
                        context.call("backlog of " + name, () -> TopicScenarios.backlog(context, A, name));
                    }
                })
                .add("createSubscription-makes-the-topic", context -> {
                    create(context, S, MessageId.earliest);
                    context.call("list", () -> topics(context).getList(context.namespace()));
                })
                .add("createSubscription-of-a-topic-that-is-not-stored", context -> {
                    context.run(
                            "create",
                            () -> topics(context).createSubscription(context.liveTopic(A), S, MessageId.latest));
                })
                .add("createSubscription-with-properties", context -> {
                    context.run(
                            "create",
                            () -> topics(context)
                                    .createSubscription(
                                            context.topic(A), S, MessageId.latest, false, Map.of("x", "1")));
                    context.call("properties", () -> topics(context).getSubscriptionProperties(context.topic(A), S));
                })
                .add(
                        "createSubscription-replicated",
                        context -> context.run(
                                "create",
                                () -> topics(context).createSubscription(context.topic(A), S, MessageId.latest, true)))
                .add("createSubscription-by-odd-names", context -> {
                    for (String name : new String[] {"a b", "a/b", "a%b", "ä", "a+b", "a&b?c#d", "a:b"}) {
                        create(context, name, MessageId.earliest);
                    }
                    context.call("list", () -> Set.copyOf(topics(context).getSubscriptions(context.topic(A))));
                    context.run("delete", () -> topics(context).deleteSubscription(context.topic(A), "a/b"));
                    context.run("skip", () -> topics(context).skipAllMessages(context.topic(A), "a%b"));
                });
    }

    private static void deletion(Scenarios scenarios) {
        scenarios
                .add("deleteSubscription", context -> {
                    create(context, S, MessageId.earliest);
                    context.run("delete", () -> topics(context).deleteSubscription(context.topic(A), S));
                    context.run("again", () -> topics(context).deleteSubscription(context.topic(A), S));
                    context.call("list", () -> topics(context).getSubscriptions(context.topic(A)));
                })
                .add("deleteSubscription-with-a-consumer", context -> {
                    TopicScenarios.consumer(context, A);
                    context.run("delete", () -> topics(context).deleteSubscription(context.topic(A), S));
                    context.call("list", () -> topics(context).getSubscriptions(context.topic(A)));
                })
                .add("deleteSubscription-by-force-with-a-consumer", context -> {
                    Consumer<byte[]> consumer = TopicScenarios.consumer(context, A);
                    context.run("delete", () -> topics(context).deleteSubscription(context.topic(A), S, true));
                    consumer.close();
                });
    }

    private static void skipping(Scenarios scenarios) {
        scenarios
                .add("skipMessages", context -> {
                    four(context);
                    context.run("skip", () -> topics(context).skipMessages(context.topic(A), S, 2));
                    context.call("backlog", () -> TopicScenarios.backlog(context, A, S));
                    context.call("next", () -> Messages.take(TopicScenarios.consumer(context, A), 1));
                })
                .add("skipMessages-more-than-there-are", context -> {
                    four(context);
                    context.run("skip", () -> topics(context).skipMessages(context.topic(A), S, 10));
                    context.call("backlog", () -> TopicScenarios.backlog(context, A, S));
                })
                .add("skipMessages-of-odd-numbers", context -> {
                    four(context);
                    context.run("none", () -> topics(context).skipMessages(context.topic(A), S, 0));
                    context.run("fewer than none", () -> topics(context).skipMessages(context.topic(A), S, -1));
                    context.call("backlog", () -> TopicScenarios.backlog(context, A, S));
                })
                .add("skipMessages-counts-what-is-not-acknowledged", context -> {
                    four(context);
                    try (Consumer<byte[]> consumer = shared(context)) {
                        consumer.receive();
                        context.say("acknowledged", Messages.take(consumer, 1));
                    }
                    context.await("one is acknowledged", () -> TopicScenarios.backlog(context, A, S) == 3);
                    context.run("skip", () -> topics(context).skipMessages(context.topic(A), S, 2));
                    context.call("next", () -> Messages.take(shared(context), 1));
                })
                .add("skipAllMessages", context -> {
                    four(context);
                    context.run("skip", () -> topics(context).skipAllMessages(context.topic(A), S));
                    context.call("backlog", () -> TopicScenarios.backlog(context, A, S));
                    Messages.publish(context, context.topic(A), "five");
                    context.call("next", () -> Messages.take(TopicScenarios.consumer(context, A), 1));
                });
    }

    private static void resets(Scenarios scenarios) {
        scenarios
                .add("resetCursor-to-an-id", context -> {
                    List<MessageId> ids = four(context);
                    context.run("reset", () -> topics(context).resetCursor(context.topic(A), S, ids.get(2)));
                    context.call("backlog", () -> TopicScenarios.backlog(context, A, S));
                    context.call("next", () -> Messages.take(TopicScenarios.consumer(context, A), 1));
                })
                .add("resetCursor-behind-an-id", context -> {
                    List<MessageId> ids = four(context);
                    context.run("reset", () -> topics(context).resetCursor(context.topic(A), S, ids.get(2), true));
                    context.call("next", () -> Messages.take(TopicScenarios.consumer(context, A), 1));
                })
                .add("resetCursor-to-the-ends", context -> {
                    four(context);
                    context.run("latest", () -> topics(context).resetCursor(context.topic(A), S, MessageId.latest));
                    context.call("nothing left", () -> TopicScenarios.backlog(context, A, S));
                    context.run("earliest", () -> topics(context).resetCursor(context.topic(A), S, MessageId.earliest));
                    context.call("all", () -> TopicScenarios.backlog(context, A, S));
                })
                .add("resetCursor-to-a-time", context -> {
                    four(context);
                    topics(context).skipMessages(context.topic(A), S, 2);
                    context.run("the beginning", () -> topics(context).resetCursor(context.topic(A), S, 0));
                    context.call("all", () -> TopicScenarios.backlog(context, A, S));
                    long later = System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1);
                    context.run("the future", () -> topics(context).resetCursor(context.topic(A), S, later));
                    context.call("nothing left", () -> TopicScenarios.backlog(context, A, S));
                })
                .add("resetCursor-while-a-consumer-is-there", context -> {
                    List<MessageId> ids = four(context);
                    Consumer<byte[]> consumer = TopicScenarios.consumer(context, A);
                    context.say("read", Messages.take(consumer, 4));
                    context.run("reset", () -> topics(context).resetCursor(context.topic(A), S, ids.get(1)));
                    context.say("read again", Messages.receiveAll(consumer, Set.of("two", "three", "four")));
                });
    }

    private static void expiry(Scenarios scenarios) {
        scenarios
                .add("expireMessages", context -> {
                    four(context);
                    context.run("of an hour ago", () -> topics(context).expireMessages(context.topic(A), S, 3600));
                    context.call("backlog", () -> TopicScenarios.backlog(context, A, S));
                })
                .add("expireMessages-to-an-id", context -> {
                    List<MessageId> ids = four(context);
                    context.run("expire", () -> topics(context).expireMessages(context.topic(A), S, ids.get(1), false));
                    context.await("two are left", () -> TopicScenarios.backlog(context, A, S) == 2);
                })
                .add("expireMessages-before-an-id", context -> {
                    List<MessageId> ids = four(context);
                    context.run("expire", () -> topics(context).expireMessages(context.topic(A), S, ids.get(1), true));
                    context.await("some are gone", () -> TopicScenarios.backlog(context, A, S) < 4);
                    context.call("left", () -> TopicScenarios.backlog(context, A, S));
                })
                .add("expireMessages-of-less-than-no-age", context -> {
                    four(context);
                    context.run("expire", () -> topics(context).expireMessages(context.topic(A), S, -1));
                })
                .add("expireMessagesForAllSubscriptions", context -> {
                    four(context);
                    context.run(
                            "expire", () -> topics(context).expireMessagesForAllSubscriptions(context.topic(A), 3600));
                    context.call("backlog", () -> TopicScenarios.backlog(context, A, S));
                });
    }

    private static void rest(Scenarios scenarios) {
        scenarios
                .add("getSubscriptions-without-any", context -> {
                    topics(context).createNonPartitionedTopic(context.topic(A));
                    context.call("list", () -> topics(context).getSubscriptions(context.topic(A)));
                })
                .add("getSubscriptions-of-a-topic-that-is-not-stored", context -> {
                    TopicScenarios.consumer(context, context.liveTopic(A));
                    context.call("list", () -> topics(context).getSubscriptions(context.liveTopic(A)));
                })
                .add("subscription-properties", context -> {
                    create(context, S, MessageId.latest);
                    String topic = context.topic(A);
                    context.call("at first", () -> topics(context).getSubscriptionProperties(topic, S));
                    context.run("set", () -> topics(context).updateSubscriptionProperties(topic, S, Map.of("x", "1")));
                    context.call("then", () -> topics(context).getSubscriptionProperties(topic, S));
                    context.run(
                            "others", () -> topics(context).updateSubscriptionProperties(topic, S, Map.of("y", "2")));
                    context.call("at last", () -> topics(context).getSubscriptionProperties(topic, S));
                })
                .add("subscription-properties-of-a-consumer", context -> {
                    context.closing(context.client()
                            .newConsumer()
                            .topic(context.topic(A))
                            .subscriptionName(S)
                            .subscriptionProperties(Map.of("x", "1"))
                            .subscribe());
                    context.call("properties", () -> topics(context).getSubscriptionProperties(context.topic(A), S));
                })
                .add("analyzeSubscriptionBacklog", context -> {
                    four(context);
                    context.callJson(
                            "backlog",
                            () -> topics(context).analyzeSubscriptionBacklog(context.topic(A), S, Optional.empty()),
                            "firstMessageId",
                            "lastMessageId");
                })
                .add("getBacklogSizeByMessageId", context -> {
                    List<MessageId> ids = four(context);
                    context.run("size", () -> topics(context).getBacklogSizeByMessageId(context.topic(A), ids.get(1)));
                })
                .add("replicated-status", context -> {
                    create(context, S, MessageId.latest);
                    String topic = context.topic(A);
                    context.call("at first", () -> topics(context).getReplicatedSubscriptionStatus(topic, S));
                    context.run("set", () -> topics(context).setReplicatedSubscriptionStatus(topic, S, true));
                    context.call("then", () -> topics(context).getReplicatedSubscriptionStatus(topic, S));
                });
    }

    private static void create(Context context, String name, MessageId at) {
        context.run("create " + name, () -> topics(context).createSubscription(context.topic(A), name, at));
    }

    private static Consumer<byte[]> shared(Context context) throws Exception {
        return context.client()
                .newConsumer()
                .topic(context.topic(A))
                .subscriptionName(S)
                .subscriptionType(SubscriptionType.Shared)
                .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS)
                .subscribe();
    }

    /** Four messages behind a subscription, and one more subscription that keeps them. */
    private static List<MessageId> four(Context context) throws Exception {
        topics(context).createSubscription(context.topic(A), S, MessageId.earliest);
        topics(context).createSubscription(context.topic(A), "keeper", MessageId.earliest);
        return Messages.publish(context, context.topic(A), "one", "two", "three", "four");
    }

    private static Topics topics(Context context) {
        return context.admin().topics();
    }
}
