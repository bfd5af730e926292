package io.millrace.compatibility.messaging;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.RegexSubscriptionMode;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.TableView;

/** Table views, and consumers of several topics by list and by pattern. */
public final class Views {
    private Views() {}

    /** Adds them. */
    public static void declare(Scenarios scenarios) {
        scenarios
                .add("table", Views::table)
                .add("table.of-nothing", Views::empty)
                .add("table.of-partitions", Views::partitioned)
                .add("table.listens", Views::listens)
                .add("table.refresh", Views::refresh)
                .add("topics.listed", Views::listed)
                .add("topics.one-is-missing", Views::missing)
                .add("topics.of-two-namespaces", Views::twoNamespaces)
                .add("pattern.finds", context -> pattern(context, RegexSubscriptionMode.PersistentOnly))
                .add("pattern.finds-live", context -> pattern(context, RegexSubscriptionMode.NonPersistentOnly))
                .add("pattern.finds-all", context -> pattern(context, RegexSubscriptionMode.AllTopics))
                .add("pattern.new-topics", Views::newTopics)
                .add("pattern.deleted-topics", Views::deletedTopics)
                .add("pattern.partitioned", Views::patternOfPartitions)
                .add("pattern.matches-nothing", Views::nothing);
    }

    private static void put(Producer<String> producer, String key, String value) throws Exception {
        producer.newMessage().key(key).value(value).send();
    }

    private static TableView<String> view(Context context, String topic) throws Exception {
        return context.closing(context.client()
                .newTableView(Schema.STRING)
                .topic(topic)
                .autoUpdatePartitionsInterval(1, TimeUnit.SECONDS)
                .create());
    }

    private static void table(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<String> producer = Messages.producer(context, topic);
        put(producer, "a", "1");
        put(producer, "b", "2");
        put(producer, "a", "3");
        producer.send("without a key");
        TableView<String> view = view(context, topic);
        context.say("view", new TreeMap<>(Map.copyOf(entries(view))));
        producer.newMessage().key("b").value(null).send();
        put(producer, "c", "4");
        context.await("the next", () -> view.containsKey("c"));
        context.say("then", new TreeMap<>(entries(view)));
        context.say("size", view.size());
    }

    private static Map<String, String> entries(TableView<String> view) {
        Map<String, String> entries = new TreeMap<>();
        view.forEach((key, value) -> entries.put(key, value));
        return entries;
    }

    private static void empty(Context context) throws Exception {
        TableView<String> view = view(context, context.topic("t"));
        context.say("is empty", view.isEmpty());
        context.say("topics", context.admin().topics().getList(context.namespace()));
    }

    private static void partitioned(Context context) throws Exception {
        String topic = context.topic("p");
        context.admin().topics().createPartitionedTopic(topic, 3);
        Producer<String> producer = Messages.producer(context, topic);
        for (int i = 0; i < 10; i++) {
            put(producer, "k" + i, "v" + i);
        }
        context.say("view", entries(view(context, topic)));
    }

    private static void listens(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<String> producer = Messages.producer(context, topic);
        put(producer, "a", "1");
        TableView<String> view = view(context, topic);
        Map<String, String> heard = new java.util.concurrent.ConcurrentHashMap<>();
        view.forEachAndListen(heard::put);
        put(producer, "b", "2");
        context.await("heard", () -> heard.size() == 2);
        context.say("all", heard);
    }

    private static void refresh(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<String> producer = Messages.producer(context, topic);
        TableView<String> view = view(context, topic);
        for (int i = 0; i < 5; i++) {
            put(producer, "k", "v" + i);
        }
        context.run("refresh", view::refresh);
        context.say("value", view.get("k"));
    }

    private static ConsumerBuilder<String> consumer(Context context) {
        return context.client()
                .newConsumer(Schema.STRING)
                .subscriptionName("s")
                .patternAutoDiscoveryPeriod(1, TimeUnit.SECONDS)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest);
    }

    private static void listed(Context context) throws Exception {
        Messages.publish(context, context.topic("a"), 2);
        Messages.publish(context, context.topic("b"), 2);
        Consumer<String> consumer = context.closing(consumer(context)
                .topics(List.of(context.topic("a"), context.topic("b")))
                .subscribe());
        context.say("all", Messages.take(consumer, 4).stream().sorted().toList());
        context.run("unsubscribe", consumer::unsubscribe);
        context.say("left", context.admin().topics().getSubscriptions(context.topic("a")));
    }

    private static void missing(Context context) throws Exception {
        Messages.publish(context, context.topic("a"), 2);
        Consumer<String> consumer = context.closing(consumer(context)
                .topics(List.of(context.topic("a"), context.topic("none")))
                .subscribe());
        context.say("all", Messages.take(consumer, 2));
        context.say(
                "topics",
                context.admin().topics().getList(context.namespace()).stream()
                        .sorted()
                        .toList());
    }

    private static void twoNamespaces(Context context) throws Exception {
        String other = context.tenant() + "/other";
        context.admin().namespaces().createNamespace(other);
        String topic = "persistent://" + other + "/b";
        Messages.publish(context, context.topic("a"), 1);
        Messages.publish(context, topic, 1);
        Consumer<String> consumer = context.closing(
                consumer(context).topics(List.of(context.topic("a"), topic)).subscribe());
        context.say("all", Messages.take(consumer, 2).size());
    }

    private static void pattern(Context context, RegexSubscriptionMode mode) throws Exception {
        for (String name : List.of("red-1", "red-2", "blue-1")) {
            Messages.producer(context, context.topic(name));
            Messages.producer(context, context.liveTopic(name + "-live"));
        }
        Consumer<String> consumer = context.closing(consumer(context)
                .topicsPattern(context.namespace() + "/red-.*")
                .subscriptionTopicsMode(mode)
                .subscribe());
        for (String name : List.of("red-1", "red-2", "blue-1")) {
            Messages.producer(context, context.topic(name)).send(name);
            Messages.producer(context, context.liveTopic(name + "-live")).send(name + "-live");
        }
        // Once each: what is not acknowledged comes again if the client had to connect again.
        context.say("received", new TreeSet<>(Messages.rest(consumer)));
    }

    private static void newTopics(Context context) throws Exception {
        Messages.publish(context, context.topic("t-1"), 1);
        Consumer<String> consumer = context.closing(
                consumer(context).topicsPattern(context.namespace() + "/t-.*").subscribe());
        context.say("first", Messages.take(consumer, 1));
        Messages.producer(context, context.topic("t-2")).send("of the second");
        context.admin().topics().createPartitionedTopic(context.topic("t-3"), 2);
        Messages.producer(context, context.topic("t-3")).send("of the third");
        context.say("then", Messages.take(consumer, 2).stream().sorted().toList());
    }

    private static void deletedTopics(Context context) throws Exception {
        Messages.publish(context, context.topic("t-1"), 1);
        try (Producer<String> producer = context.client()
                .newProducer(Schema.STRING)
                .topic(context.topic("t-2"))
                .create()) {
            producer.send("m1");
        }
        Consumer<String> consumer = context.closing(
                consumer(context).topicsPattern(context.namespace() + "/t-.*").subscribe());
        context.say("all", Messages.take(consumer, 2).stream().sorted().toList());
        context.run("delete", () -> context.admin().topics().delete(context.topic("t-2"), true));
        Messages.producer(context, context.topic("t-1")).send("still");
        context.say("still", Messages.take(consumer, 1));
    }

    private static void patternOfPartitions(Context context) throws Exception {
        context.admin().topics().createPartitionedTopic(context.topic("t-1"), 3);
        Messages.publish(context, context.topic("t-1"), 6);
        Consumer<String> consumer = context.closing(
                consumer(context).topicsPattern(context.namespace() + "/t-.*").subscribe());
        context.say("all", Messages.take(consumer, 6).stream().sorted().toList());
    }

    private static void nothing(Context context) throws Exception {
        Consumer<String> consumer = context.closing(consumer(context)
                .topicsPattern(context.namespace() + "/none-.*")
                .subscribe());
        context.say("received", Messages.rest(consumer));
        Messages.producer(context, context.topic("none-1")).send("a");
        context.say("then", Messages.take(consumer, 1));
    }
}
