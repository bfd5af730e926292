package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Messages;
import io.millrace.compatibility.scenario.Scenarios;
import io.millrace.compatibility.scenario.There;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.admin.Topics;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.ConsumerStats;
import org.apache.pulsar.common.policies.data.SubscriptionStats;
import org.apache.pulsar.common.policies.data.TopicStats;

/** Times of {@link Topics}' statistics: no two runs have them alike, so it is told which there are and how they lie to each other. */
final class TimeScenarios {
    private static final String A = "a";
    private static final String S = "s";

    private TimeScenarios() {}

    static void declare(Scenarios scenarios) {
        scenarios
                .add("times-of-a-topic", TimeScenarios::topic)
                .add("times-of-a-topic-that-was-unloaded", TimeScenarios::unloaded)
                .add("times-of-a-topic-that-is-not-stored", TimeScenarios::live)
                .add("times-of-partitions", TimeScenarios::partitions)
                .add("times-of-a-consumer", TimeScenarios::consumer)
                .add("times-of-acknowledgements", TimeScenarios::acknowledgements)
                .add("times-of-a-consumer-that-has-gone", TimeScenarios::gone)
                .add("times-of-what-an-administrator-skips", TimeScenarios::skipped)
                .add("times-of-what-expires", TimeScenarios::expired);
    }

    /** {@code none}, or whether it lies between two others. */
    private static String between(long from, long time, long to) {
        return time == 0 ? "none" : from <= time && time <= to ? "between" : "outside";
    }

    private static String isThere(long time) {
        return time == 0 ? "none" : "some";
    }

    private static Topics topics(Context context) {
        return context.admin().topics();
    }

    private static TopicStats stats(Context context, String topic) throws PulsarAdminException {
        return topics(context).getStats(topic);
    }

    private static SubscriptionStats subscription(Context context, String topic) throws PulsarAdminException {
        return There.of(stats(context, topic).getSubscriptions(), S);
    }

    private static ConsumerStats consumer(Context context, String topic) throws PulsarAdminException {
        return subscription(context, topic).getConsumers().get(0);
    }

    private static Consumer<byte[]> consume(Context context, String topic) throws Exception {
        return context.closing(context.client()
                .newConsumer()
                .topic(topic)
                .subscriptionName(S)
                .subscriptionType(SubscriptionType.Shared)
                .receiverQueueSize(10)
                .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS)
                .subscribe());
    }

    private static void topic(Context context) throws Exception {
        String topic = context.topic(A);
        long before = System.currentTimeMillis();
        topics(context).createNonPartitionedTopic(topic);
        long made = System.currentTimeMillis();
        TopicStats stats = stats(context, topic);
        context.say("made", between(before, stats.getTopicCreationTimeStamp(), made));
        context.say("published at first", isThere(stats.getLastPublishTimeStamp()));
        long publishing = System.currentTimeMillis();
        Messages.publish(context, topic, "one");
        stats = stats(context, topic);
        context.say("published", between(publishing, stats.getLastPublishTimeStamp(), System.currentTimeMillis()));
        context.say("made as before", between(before, stats.getTopicCreationTimeStamp(), made));
    }

    private static void unloaded(Context context) throws Exception {
        String topic = context.topic(A);
        long before = System.currentTimeMillis();
        topics(context).createSubscription(topic, S, MessageId.earliest);
        Messages.publish(context, topic, "one", "two");
        long after = System.currentTimeMillis();
        topics(context).unload(topic);
        context.await(
                "it is there", () -> stats(context, topic).getSubscriptions().containsKey(S));
        TopicStats stats = stats(context, topic);
        context.say("made", between(before, stats.getTopicCreationTimeStamp(), after));
        context.say("published", between(before, stats.getLastPublishTimeStamp(), after));
        context.say("asked", isThere(subscription(context, topic).getLastConsumedFlowTimestamp()));
    }

    private static void live(Context context) throws Exception {
        String topic = context.liveTopic(A);
        long before = System.currentTimeMillis();
        Consumer<byte[]> consumer = consume(context, topic);
        context.await("it asks", () -> consumer(context, topic).getAvailablePermits() == 10);
        Messages.publish(context, topic, "one");
        consumer.acknowledge(consumer.receive());
        context.await("sent", () -> consumer(context, topic).getLastConsumedTimestamp() > 0);
        TopicStats stats = stats(context, topic);
        context.say("made", isThere(stats.getTopicCreationTimeStamp()));
        context.say("published", isThere(stats.getLastPublishTimeStamp()));
        SubscriptionStats each = subscription(context, topic);
        context.say("asked of the subscription", isThere(each.getLastConsumedFlowTimestamp()));
        context.say("sent of the subscription", isThere(each.getLastConsumedTimestamp()));
        ConsumerStats one = consumer(context, topic);
        long after = System.currentTimeMillis();
        context.say("asked first", between(before, one.getFirstConsumedFlowTimestamp(), after));
        context.say("asked last", between(before, one.getLastConsumedFlowTimestamp(), after));
        context.say("sent first", between(before, one.getFirstMessagesSentTimestamp(), after));
        context.say("sent last", between(before, one.getLastConsumedTimestamp(), after));
        context.say("acknowledged", isThere(one.getLastAckedTimestamp()));
    }

    private static void partitions(Context context) throws Exception {
        String topic = context.topic("p");
        long before = System.currentTimeMillis();
        topics(context).createPartitionedTopic(topic, 2);
        long made = System.currentTimeMillis();
        TopicStats stats = topics(context).getPartitionedStats(topic, false);
        context.say("made", between(before, stats.getTopicCreationTimeStamp(), made));
        context.say("published at first", isThere(stats.getLastPublishTimeStamp()));
        Consumer<byte[]> consumer = consume(context, topic);
        Messages.publish(context, topic, "one");
        consumer.acknowledge(consumer.receive());
        String first = topic + "-partition-0";
        context.await("it asks", () -> subscription(context, first).getLastConsumedFlowTimestamp() > 0);
        stats = topics(context).getPartitionedStats(topic, false);
        context.say("published", between(made, stats.getLastPublishTimeStamp(), System.currentTimeMillis()));
        SubscriptionStats sum = There.of(stats.getSubscriptions(), S);
        context.say("asked of all", isThere(sum.getLastConsumedFlowTimestamp()));
        context.say("sent of all", isThere(sum.getLastConsumedTimestamp()));
        context.say("acknowledged of all", isThere(sum.getLastAckedTimestamp()));
        context.say("marked of all", isThere(sum.getLastMarkDeleteAdvancedTimestamp()));
    }

    private static void consumer(Context context) throws Exception {
        String topic = context.topic(A);
        long before = System.currentTimeMillis();
        Consumer<byte[]> consumer = consume(context, topic);
        context.await("it asks", () -> subscription(context, topic).getLastConsumedFlowTimestamp() > 0);
        ConsumerStats idle = consumer(context, topic);
        context.say("asked first", between(before, idle.getFirstConsumedFlowTimestamp(), System.currentTimeMillis()));
        context.say("sent at first", isThere(idle.getLastConsumedTimestamp()));
        context.say("sent first at first", isThere(idle.getFirstMessagesSentTimestamp()));
        long publishing = System.currentTimeMillis();
        Messages.publish(context, topic, "one", "two");
        consumer.receive();
        consumer.receive();
        SubscriptionStats each = subscription(context, topic);
        ConsumerStats one = each.getConsumers().get(0);
        long after = System.currentTimeMillis();
        context.say("sent first", between(publishing, one.getFirstMessagesSentTimestamp(), after));
        context.say("sent last", between(publishing, one.getLastConsumedTimestamp(), after));
        context.say("sent of the subscription", between(publishing, each.getLastConsumedTimestamp(), after));
        context.say("asked of the subscription", between(before, each.getLastConsumedFlowTimestamp(), after));
        context.say("acknowledged at first", isThere(one.getLastAckedTimestamp()));
        context.say(
                "asked first as before", one.getFirstConsumedFlowTimestamp() == idle.getFirstConsumedFlowTimestamp());
    }

    private static void acknowledgements(Context context) throws Exception {
        String topic = context.topic(A);
        Consumer<byte[]> consumer = consume(context, topic);
        Messages.publish(context, topic, "one", "two");
        var first = consumer.receive();
        var second = consumer.receive();
        long before = System.currentTimeMillis();
        consumer.acknowledge(second);
        context.await("acknowledged", () -> subscription(context, topic).getLastAckedTimestamp() > 0);
        SubscriptionStats each = subscription(context, topic);
        context.say("the second", between(before, each.getLastAckedTimestamp(), System.currentTimeMillis()));
        context.say("marked at first", isThere(each.getLastMarkDeleteAdvancedTimestamp()));
        long again = System.currentTimeMillis();
        consumer.acknowledge(first);
        context.await("marked", () -> subscription(context, topic).getLastMarkDeleteAdvancedTimestamp() > 0);
        each = subscription(context, topic);
        long after = System.currentTimeMillis();
        context.say("the first", between(again, each.getLastAckedTimestamp(), after));
        context.say("marked then", between(again, each.getLastMarkDeleteAdvancedTimestamp(), after));
        context.say("of the consumer", between(again, each.getConsumers().get(0).getLastAckedTimestamp(), after));
    }

    private static void gone(Context context) throws Exception {
        String topic = context.topic(A);
        Consumer<byte[]> consumer = consume(context, topic);
        Messages.publish(context, topic, "one");
        consumer.acknowledge(consumer.receive());
        context.await("marked", () -> subscription(context, topic).getLastMarkDeleteAdvancedTimestamp() > 0);
        consumer.close();
        context.await(
                "nobody is there",
                () -> subscription(context, topic).getConsumers().isEmpty());
        SubscriptionStats left = subscription(context, topic);
        context.say("asked", isThere(left.getLastConsumedFlowTimestamp()));
        context.say("sent", isThere(left.getLastConsumedTimestamp()));
        context.say("acknowledged", isThere(left.getLastAckedTimestamp()));
        context.say("marked", isThere(left.getLastMarkDeleteAdvancedTimestamp()));
    }

    private static void skipped(Context context) throws Exception {
        String topic = context.topic(A);
        topics(context).createSubscription(topic, S, MessageId.earliest);
        Messages.publish(context, topic, "one", "two", "three");
        topics(context).skipMessages(topic, S, 1);
        context.say("marked", isThere(subscription(context, topic).getLastMarkDeleteAdvancedTimestamp()));
        topics(context).skipAllMessages(topic, S);
        context.say("marked by all", isThere(subscription(context, topic).getLastMarkDeleteAdvancedTimestamp()));
        topics(context).resetCursor(topic, S, MessageId.earliest);
        context.say("marked by a reset", isThere(subscription(context, topic).getLastMarkDeleteAdvancedTimestamp()));
        context.say("expired", isThere(subscription(context, topic).getLastExpireTimestamp()));
    }

    private static void expired(Context context) throws Exception {
        String topic = context.topic(A);
        topics(context).createSubscription(topic, S, MessageId.earliest);
        Messages.publish(context, topic, "one", "two", "three");
        long published = System.currentTimeMillis();
        context.await("a while has gone by", () -> System.currentTimeMillis() - published > 1_500);
        long before = System.currentTimeMillis();
        topics(context).expireMessages(topic, S, 1);
        context.await("marked", () -> subscription(context, topic).getLastMarkDeleteAdvancedTimestamp() > 0);
        SubscriptionStats each = subscription(context, topic);
        long after = System.currentTimeMillis();
        context.say("expired", between(before, each.getLastExpireTimestamp(), after));
        context.say("marked then", between(before, each.getLastMarkDeleteAdvancedTimestamp(), after));
        context.say("acknowledged", isThere(each.getLastAckedTimestamp()));
    }
}
