package io.millrace.compatibility.messaging;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;

/** Producers beside each other, their names and access modes, and what clients are told of names that are wrong. */
public final class Producers {
    private Producers() {}

    /** Adds them. */
    public static void declare(Scenarios scenarios) {
        for (ProducerAccessMode first : ProducerAccessMode.values()) {
            for (ProducerAccessMode second : ProducerAccessMode.values()) {
                scenarios.add("access." + named(first) + ".then-" + named(second), context -> {
                    // On connections of its own: others' errors make a client connect again, and the order is lost.
                    PulsarClient client = context.newClient(PulsarClient.builder());
                    String topic = context.topic("t");
                    Producer<String> there =
                            context.closing(builder(client, topic, first).create());
                    context.call("first", () -> there.send("a"));
                    access(context, there, builder(client, topic, second).createAsync());
                });
            }
        }
        scenarios
                .add("name.taken", Producers::nameTaken)
                .add("name.given-by-the-broker", Producers::nameGiven)
                .add("name.again-after-close", Producers::nameAgain)
                .add("duplicates", Producers::duplicates)
                .add("topic-epoch", Producers::epoch)
                .add("closed", Producers::closed)
                .add("bad-names", Producers::badNames)
                .add("nobody-may-make-topics", Producers::notMade)
                .add("namespace-that-is-not", Producers::noNamespace)
                .add("consumer-errors", Producers::consumerErrors)
                .add("deleted-under-clients", Producers::deletedUnderClients)
                .add("unloaded-under-clients", Producers::unloadedUnderClients)
                .add("connect-to-nobody", Producers::nobody)
                .add("ids-go-up", Producers::idsGoUp)
                .add("flush-and-order", Producers::flushAndOrder)
                .add("partition-by-name", Producers::partitionByName);
    }

    private static String named(ProducerAccessMode mode) {
        return mode.name().replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    private static ProducerBuilder<String> builder(Context context, String topic, ProducerAccessMode mode) {
        return builder(context.client(), topic, mode);
    }

    private static ProducerBuilder<String> builder(PulsarClient client, String topic, ProducerAccessMode mode) {
        return client.newProducer(Schema.STRING)
                .topic(topic)
                .enableBatching(false)
                .accessMode(mode);
    }

    private static void access(Context context, Producer<String> first, CompletableFuture<Producer<String>> next)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (!next.isDone() && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        context.say("second is there at once", next.isDone() && !next.isCompletedExceptionally());
        context.call("first goes on", () -> first.sendAsync("b").get(1, TimeUnit.SECONDS));
        first.close();
        context.call(
                "second", () -> context.closing(next.get(5, TimeUnit.SECONDS)).send("c"));
    }

    private static void nameTaken(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<String> first = context.closing(builder(context, topic, ProducerAccessMode.Shared)
                .producerName("me")
                .create());
        context.call(
                "second",
                () -> context.closing(builder(context, topic, ProducerAccessMode.Shared)
                                .producerName("me")
                                .create())
                        .getProducerName());
        context.call("first", () -> first.send("a"));
        context.call(
                "elsewhere",
                () -> context.closing(builder(context, context.topic("u"), ProducerAccessMode.Shared)
                                .producerName("me")
                                .create())
                        .getProducerName());
    }

    private static void nameGiven(Context context) throws Exception {
        Producer<String> one = Messages.producer(context, context.topic("t"));
        Producer<String> other = Messages.producer(context, context.topic("t"));
        context.say("is empty", one.getProducerName().isEmpty());
        context.say("are equal", one.getProducerName().equals(other.getProducerName()));
        context.say("last sequence", one.getLastSequenceId());
    }

    private static void nameAgain(Context context) throws Exception {
        String topic = context.topic("t");
        for (int i = 0; i < 3; i++) {
            try (Producer<String> producer = builder(context, topic, ProducerAccessMode.Shared)
                    .producerName("me")
                    .create()) {
                context.say("last sequence", producer.getLastSequenceId());
                producer.send("a");
                context.say("then", producer.getLastSequenceId());
            }
        }
    }

    private static void duplicates(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<String> producer = context.closing(builder(context, topic, ProducerAccessMode.Shared)
                .producerName("me")
                .create());
        for (long sequence : new long[] {1, 2, 2, 1, 3}) {
            context.call(
                    "sequence " + sequence,
                    () -> producer.newMessage()
                                    .sequenceId(sequence)
                                    .value("m" + sequence)
                                    .send()
                            != null);
        }
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        context.say("received", Messages.take(consumer, 5));
    }

    private static void epoch(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<String> first = context.closing(
                builder(context, topic, ProducerAccessMode.Exclusive).create());
        first.send("a");
        Producer<String> second = context.closing(
                builder(context, topic, ProducerAccessMode.ExclusiveWithFencing).create());
        context.call("second", () -> second.send("b"));
        context.call("first", () -> first.send("c"));
        context.say("first is connected", first.isConnected());
    }

    private static void closed(Context context) throws Exception {
        Producer<String> producer = Messages.producer(context, context.topic("t"));
        producer.close();
        context.call("send", () -> producer.send("a"));
        Consumer<String> consumer = Messages.subscribe(context, context.topic("t"), SubscriptionType.Shared);
        consumer.close();
        context.call("receive", () -> consumer.receive(1, TimeUnit.SECONDS));
        context.run("acknowledge", () -> consumer.acknowledge(MessageId.earliest));
        context.run("seek", () -> consumer.seek(MessageId.earliest));
        context.run("unsubscribe", consumer::unsubscribe);
    }

    private static void badNames(Context context) throws Exception {
        String namespace = context.namespace();
        for (String name : List.of("", "t-partition-x", "t-partition-0", "a/b/c", "a b", "ä")) {
            String topic = "persistent://" + namespace + "/" + name;
            context.call(
                    "'" + name + "'", () -> Messages.producer(context, topic).send("a") != null);
        }
        for (String name : List.of("persistent://a/b", "a/b/c/d/e", "other://a/b/c")) {
            context.call(name, () -> Messages.producer(context, name).send("a") != null);
        }
    }

    private static void notMade(Context context) throws Exception {
        context.admin()
                .namespaces()
                .setAutoTopicCreation(
                        context.namespace(),
                        org.apache.pulsar.common.policies.data.AutoTopicCreationOverride.builder()
                                .allowAutoTopicCreation(false)
                                .build());
        String topic = context.topic("t");
        context.call("producer", () -> Messages.producer(context, topic).isConnected());
        context.call(
                "consumer",
                () -> Messages.subscribe(context, topic, SubscriptionType.Shared)
                        .isConnected());
        context.call(
                "reader",
                () -> context.closing(context.client()
                                .newReader()
                                .topic(topic)
                                .startMessageId(MessageId.earliest)
                                .create())
                        .isConnected());
        context.call(
                "partitions",
                () -> context.client().getPartitionsForTopic(topic, true).get(10, TimeUnit.SECONDS));
        context.admin().topics().createNonPartitionedTopic(topic);
        context.call("then", () -> Messages.producer(context, topic).isConnected());
    }

    private static void noNamespace(Context context) throws Exception {
        String topic = "persistent://" + context.tenant() + "/nobody-made-it/t";
        context.call("producer", () -> Messages.producer(context, topic).isConnected());
        context.call(
                "consumer",
                () -> Messages.subscribe(context, topic, SubscriptionType.Shared)
                        .isConnected());
        String other = "persistent://" + context.unique("none") + "/ns/t";
        context.call("without a tenant", () -> Messages.producer(context, other).isConnected());
    }

    private static void consumerErrors(Context context) throws Exception {
        String topic = context.topic("t");
        context.call(
                "no subscription",
                () -> context.client().newConsumer().topic(topic).subscribe());
        context.call(
                "no topic",
                () -> context.client().newConsumer().subscriptionName("s").subscribe());
        Consumer<String> first = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        context.call(
                "exclusive",
                () -> Messages.subscribe(context, topic, SubscriptionType.Exclusive)
                        .isConnected());
        context.call("unsubscribe", () -> {
            first.unsubscribe();
            return first.isConnected();
        });
        Consumer<String> one = Messages.subscribe(context, topic, SubscriptionType.Shared);
        Messages.subscribe(context, topic, SubscriptionType.Shared);
        context.run("unsubscribe one of two", one::unsubscribe);
        context.run("cumulative when shared", () -> one.acknowledgeCumulative(MessageId.earliest));
    }

    private static void deletedUnderClients(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<String> producer = Messages.producer(context, topic);
        producer.send("a");
        context.run("delete", () -> context.admin().topics().delete(topic));
        context.call("still there", () -> producer.send("b") != null);
        context.run("delete by force", () -> context.admin().topics().delete(topic, true));
        context.call("comes back", () -> producer.send("c") != null);
        context.call("holds", () -> Messages.take(Messages.subscribe(context, topic, SubscriptionType.Exclusive), 1));
    }

    private static void unloadedUnderClients(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<String> producer = Messages.producer(context, topic);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        producer.send("a");
        context.run("unload", () -> context.admin().topics().unload(topic));
        context.call("send", () -> producer.send("b") != null);
        context.say(
                "received",
                Messages.take(consumer, 2).stream().distinct().sorted().toList());
    }

    private static void nobody(Context context) throws Exception {
        try (PulsarClient client = PulsarClient.builder()
                .serviceUrl("pulsar://127.0.0.1:1")
                .operationTimeout(1, TimeUnit.SECONDS)
                .lookupTimeout(1, TimeUnit.SECONDS)
                .build()) {
            context.call("producer", () -> client.newProducer().topic("t").create());
        }
        context.call("url", () -> PulsarClient.builder().serviceUrl("nonsense").build());
    }

    private static void idsGoUp(Context context) throws Exception {
        List<MessageId> ids = Messages.publish(context, context.topic("t"), 5);
        context.say("ids", ids);
        context.say("in order", ids.stream().sorted().toList().equals(ids));
        context.say(
                "from bytes",
                ids.get(2).equals(MessageId.fromByteArray(ids.get(2).toByteArray())));
    }

    private static void flushAndOrder(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<String> producer = context.closing(context.client()
                .newProducer(Schema.STRING)
                .topic(topic)
                .batchingMaxMessages(7)
                .batchingMaxPublishDelay(1, TimeUnit.HOURS)
                .create());
        for (int i = 0; i < 30; i++) {
            Messages.flushedLater(producer.sendAsync("m" + i));
        }
        producer.flush();
        context.say("received", Messages.take(Messages.subscribe(context, topic, SubscriptionType.Exclusive), 30));
    }

    private static void partitionByName(Context context) throws Exception {
        String topic = context.topic("p");
        context.admin().topics().createPartitionedTopic(topic, 2);
        context.call(
                "one of them",
                () -> Messages.producer(context, topic + "-partition-1").send("a"));
        context.call(
                "one too many",
                () -> Messages.producer(context, topic + "-partition-2").send("a") != null);
        context.call(
                "consumer too many",
                () -> Messages.subscribe(context, topic + "-partition-7", SubscriptionType.Shared)
                        .isConnected());
        context.say(
                "topics",
                context.admin().topics().getList(context.namespace()).stream()
                        .sorted()
                        .toList());
    }
}
