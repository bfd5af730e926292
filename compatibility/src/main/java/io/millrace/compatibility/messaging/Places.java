package io.millrace.compatibility.messaging;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.Range;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.ReaderBuilder;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;

/** Where consumers and readers begin, go and end: seeks, and what is told of the last message in every state of a topic. */
public final class Places {
    /** How a topic is before it is asked for its end. */
    private enum State {
        NEW,
        PUBLISHED,
        BATCHED,
        ACKNOWLEDGED,
        TRUNCATED,
        TERMINATED,
        TERMINATED_EMPTY,
        UNLOADED
    }

    private Places() {}

    /** Adds them. */
    public static void declare(Scenarios scenarios) {
        for (State state : State.values()) {
            String name = state.name().toLowerCase(Locale.ROOT).replace('_', '-');
            scenarios
                    .add(name + ".reader-from-earliest", context -> end(context, state, MessageId.earliest, false))
                    .add(name + ".reader-from-latest", context -> end(context, state, MessageId.latest, false))
                    .add(name + ".reader-from-latest-inclusive", context -> end(context, state, MessageId.latest, true))
                    .add(name + ".last-ids", context -> lastIds(context, state))
                    .add(name + ".seek-to-latest", context -> seekIn(context, state, MessageId.latest))
                    .add(name + ".seek-to-earliest", context -> seekIn(context, state, MessageId.earliest));
        }
        for (SubscriptionType type : SubscriptionType.values()) {
            String name = type.name().toLowerCase(Locale.ROOT).replace('_', '-');
            scenarios
                    .add("seek." + name + ".to-id", context -> seekToId(context, type, false))
                    .add("seek." + name + ".past-id", context -> seekToId(context, type, true))
                    .add("seek." + name + ".to-time", context -> seekToTime(context, type))
                    .add("seek." + name + ".forward", context -> seekForward(context, type));
        }
        scenarios
                .add("seek.into-batch", Places::seekIntoBatch)
                .add("seek.to-future-time", Places::seekToFuture)
                .add("seek.of-two-consumers", Places::seekOfTwo)
                .add("seek.partitioned-to-time", Places::seekPartitioned)
                .add("seek.by-function", Places::seekByFunction)
                .add("reader.from-id", context -> readerFromId(context, false))
                .add("reader.from-id-inclusive", context -> readerFromId(context, true))
                .add("reader.seek", Places::readerSeek)
                .add("reader.seek-to-time", Places::readerSeekToTime)
                .add("reader.from-a-time-ago", Places::readerFromRollback)
                .add("reader.of-partitions", Places::readerOfPartitions)
                .add("reader.of-topics", Places::readerOfTopics)
                .add("reader.of-key-range", Places::readerOfRange)
                .add("reader.of-key-ranges", Places::readerOfRanges)
                .add("reader.into-batch", Places::readerIntoBatch)
                .add("reader.leaves-no-subscription", Places::readerLeavesNothing)
                .add("reader.named-subscription", Places::readerNamed)
                .add("reader.nobody-made-the-topic", Places::readerOfNothing)
                .add("reader.end-of-terminated", Places::readerEnd)
                .add("consumer.end-of-terminated", Places::consumerEnd);
    }

    private static String made(Context context, State state) throws Exception {
        String topic = context.topic("t");
        switch (state) {
            case NEW -> context.admin().topics().createNonPartitionedTopic(topic);
            case BATCHED -> Acknowledgements.publishBatch(context, topic, 3);
            case TERMINATED_EMPTY -> {
                context.admin().topics().createNonPartitionedTopic(topic);
                context.admin().topics().terminateTopic(topic);
            }
            default -> {
                try (Consumer<String> consumer = Messages.consumer(context, topic, SubscriptionType.Exclusive)
                        .subscriptionName("maker")
                        .subscribe()) {
                    Messages.publish(context, topic, 3);
                    if (state == State.ACKNOWLEDGED) {
                        Messages.take(consumer, 3);
                    }
                }
                change(context, topic, state);
            }
        }
        return topic;
    }

    private static void change(Context context, String topic, State state) throws Exception {
        switch (state) {
            case TRUNCATED -> context.admin().topics().truncate(topic);
            case TERMINATED -> context.admin().topics().terminateTopic(topic);
            case UNLOADED -> context.admin().topics().unload(topic);
            default -> {}
        }
    }

    private static ReaderBuilder<String> reader(Context context, String topic, MessageId from) {
        return context.client().newReader(Schema.STRING).topic(topic).startMessageId(from);
    }

    private static void end(Context context, State state, MessageId from, boolean inclusive) throws Exception {
        String topic = made(context, state);
        ReaderBuilder<String> builder = reader(context, topic, from);
        Reader<String> reader = context.closing((inclusive ? builder.startMessageIdInclusive() : builder).create());
        context.say("has a message", reader.hasMessageAvailable());
        context.say("read", Messages.read(reader));
        if (state == State.TERMINATED || state == State.TERMINATED_EMPTY) {
            context.await("end of topic", reader::hasReachedEndOfTopic);
        } else {
            context.say("end of topic", reader.hasReachedEndOfTopic());
        }
        context.call("publish", () -> Messages.publish(context, topic, 1).size());
        context.say("read then", Messages.read(reader));
    }

    private static void lastIds(Context context, State state) throws Exception {
        String topic = made(context, state);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        context.call(
                "last of a consumer",
                () -> consumer.getLastMessageIds().stream()
                        .map(id -> (MessageId) id)
                        .toList());
        context.call("last by admin", () -> context.admin().topics().getLastMessageId(topic));
    }

    private static void seekIn(Context context, State state, MessageId to) throws Exception {
        String topic = made(context, state);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        context.run("seek", () -> consumer.seek(to));
        context.call("publish", () -> Messages.publish(context, topic, 1).size());
        context.say("received", Messages.rest(consumer));
    }

    private static void seekToId(Context context, SubscriptionType type, boolean inclusive) throws Exception {
        String topic = context.topic("t");
        List<MessageId> ids = Messages.publish(context, topic, 6);
        Consumer<String> consumer = context.closing(
                inclusive
                        ? Messages.consumer(context, topic, type)
                                .startMessageIdInclusive()
                                .subscribe()
                        : Messages.consumer(context, topic, type).subscribe());
        context.say("before", Messages.take(consumer, 6));
        consumer.seek(ids.get(2));
        context.say("after", Messages.take(consumer, 3));
        context.say("more", Messages.rest(consumer));
    }

    private static void seekToTime(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Producer<String> producer = Messages.producer(context, topic);
        Messages.publish(producer, 0, 3);
        long between = System.currentTimeMillis() + 5;
        context.await("time goes by", () -> System.currentTimeMillis() > between + 5);
        Messages.publish(producer, 3, 3);
        Consumer<String> consumer = Messages.subscribe(context, topic, type);
        Messages.take(consumer, 6);
        consumer.seek(between);
        context.say("after", Messages.take(consumer, 3));
        context.say("more", Messages.rest(consumer));
        consumer.seek(0);
        context.say("from 1970", Messages.take(consumer, 6));
    }

    private static void seekForward(Context context, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        List<MessageId> ids = Messages.publish(context, topic, 6);
        Consumer<String> consumer = Messages.subscribe(context, topic, type);
        context.say("before", Messages.texts(Messages.receive(consumer, 1)));
        consumer.seek(ids.get(4));
        context.say("after", Messages.take(consumer, 1));
        context.say("more", Messages.rest(consumer));
        consumer.seek(MessageId.latest);
        context.say("latest", Messages.rest(consumer));
        consumer.seek(MessageId.earliest);
        context.say("earliest", Messages.take(consumer, 6));
    }

    private static void seekIntoBatch(Context context) throws Exception {
        String topic = context.topic("t");
        Acknowledgements.publishBatch(context, topic, 5);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        List<Message<String>> all = Messages.receive(consumer, 5);
        consumer.seek(all.get(2).getMessageId());
        context.say("after", Messages.take(consumer, 2));
        context.say("more", Messages.rest(consumer));
    }

    private static void seekToFuture(Context context) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 3);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        context.run("seek", () -> consumer.seek(System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1)));
        context.say("after", Messages.rest(consumer));
    }

    private static void seekOfTwo(Context context) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 4);
        Consumer<String> first = Messages.subscribe(context, topic, SubscriptionType.Shared);
        Messages.take(first, 4);
        Consumer<String> second = Messages.subscribe(context, topic, SubscriptionType.Shared);
        context.run("seek", () -> second.seek(MessageId.earliest));
        context.await("both are connected", () -> first.isConnected() && second.isConnected());
        context.say(
                "all come again",
                Messages.rest(first).size() + Messages.rest(second).size());
    }

    private static void seekPartitioned(Context context) throws Exception {
        String topic = context.topic("p");
        context.admin().topics().createPartitionedTopic(topic, 3);
        Messages.publish(context, topic, 9);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        context.say("before", Messages.take(consumer, 9).size());
        consumer.seek(0);
        context.say("after", Messages.take(consumer, 9).size());
        context.call("to an id", () -> {
            consumer.seek(MessageId.earliest);
            return Messages.take(consumer, 9).size();
        });
    }

    private static void seekByFunction(Context context) throws Exception {
        String topic = context.topic("p");
        context.admin().topics().createPartitionedTopic(topic, 2);
        Messages.publish(context, topic, 6);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        Messages.take(consumer, 6);
        consumer.seek(part -> part.endsWith("0") ? MessageId.earliest : MessageId.latest);
        context.say("after", Messages.rest(consumer).size());
    }

    private static void readerFromId(Context context, boolean inclusive) throws Exception {
        String topic = context.topic("t");
        List<MessageId> ids = Messages.publish(context, topic, 5);
        ReaderBuilder<String> builder = reader(context, topic, ids.get(2));
        context.say(
                "read",
                Messages.read(context.closing((inclusive ? builder.startMessageIdInclusive() : builder).create())));
    }

    private static void readerSeek(Context context) throws Exception {
        String topic = context.topic("t");
        List<MessageId> ids = Messages.publish(context, topic, 5);
        Reader<String> reader =
                context.closing(reader(context, topic, MessageId.earliest).create());
        context.say("read", Messages.read(reader));
        reader.seek(ids.get(3));
        context.say("from an id", Messages.read(reader));
        reader.seek(MessageId.earliest);
        context.say("from earliest", Messages.read(reader));
        reader.seek(MessageId.latest);
        context.say("from latest", Messages.read(reader));
    }

    private static void readerSeekToTime(Context context) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 3);
        Reader<String> reader =
                context.closing(reader(context, topic, MessageId.latest).create());
        context.say("from latest", Messages.read(reader));
        reader.seek(0);
        context.say("from 1970", Messages.read(reader));
        reader.seek(System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1));
        context.say("from the future", Messages.read(reader));
    }

    private static void readerFromRollback(Context context) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 3);
        Reader<String> reader = context.closing(context.client()
                .newReader(Schema.STRING)
                .topic(topic)
                .startMessageFromRollbackDuration(1, TimeUnit.HOURS)
                .create());
        context.say("read", Messages.read(reader));
    }

    private static void readerOfPartitions(Context context) throws Exception {
        String topic = context.topic("p");
        context.admin().topics().createPartitionedTopic(topic, 3);
        Messages.publish(context, topic, 9);
        Reader<String> reader =
                context.closing(reader(context, topic, MessageId.earliest).create());
        context.say("read", Messages.read(reader).stream().sorted().toList());
    }

    private static void readerOfTopics(Context context) throws Exception {
        Messages.publish(context, context.topic("a"), 2);
        Messages.publish(context, context.topic("b"), 2);
        Reader<String> reader = context.closing(context.client()
                .newReader(Schema.STRING)
                .topics(List.of(context.topic("a"), context.topic("b")))
                .startMessageId(MessageId.earliest)
                .create());
        context.say("read", Messages.read(reader).stream().sorted().toList());
    }

    private static void readerOfRange(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<String> producer = Messages.producer(context, topic);
        for (int i = 0; i < 12; i++) {
            producer.newMessage().key("k" + i).value("m" + i).send();
        }
        Reader<String> reader = context.closing(reader(context, topic, MessageId.earliest)
                .keyHashRange(Range.of(0, 32767))
                .create());
        tellKeys(context, reader);
    }

    private static void readerOfRanges(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<String> producer = Messages.producer(context, topic);
        for (int i = 0; i < 12; i++) {
            producer.newMessage().key("k" + i).value("m" + i).send();
        }
        tellKeys(
                context,
                context.closing(reader(context, topic, MessageId.earliest)
                        .keyHashRange(Range.of(0, 16383), Range.of(32768, 65535))
                        .create()));
    }

    private static void tellKeys(Context context, Reader<String> reader) throws Exception {
        Message<String> message = reader.readNext(15, TimeUnit.SECONDS);
        for (int i = 0; message != null && i < 12; i++) {
            context.say("read", message.getKey());
            message = reader.readNext(500, TimeUnit.MILLISECONDS);
        }
    }

    private static void readerIntoBatch(Context context) throws Exception {
        String topic = context.topic("t");
        Acknowledgements.publishBatch(context, topic, 4);
        Reader<String> all =
                context.closing(reader(context, topic, MessageId.earliest).create());
        all.readNext(5, TimeUnit.SECONDS);
        MessageId second = all.readNext(5, TimeUnit.SECONDS).getMessageId();
        context.say("at", second);
        context.say(
                "read",
                Messages.read(context.closing(reader(context, topic, second).create())));
        context.say(
                "inclusive",
                Messages.read(context.closing(
                        reader(context, topic, second).startMessageIdInclusive().create())));
    }

    private static void readerLeavesNothing(Context context) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 1);
        try (Reader<String> reader = reader(context, topic, MessageId.earliest).create()) {
            context.say("read", Messages.read(reader));
            context.say(
                    "subscriptions",
                    context.admin().topics().getSubscriptions(topic).size());
        }
        context.await(
                "none is left",
                () -> context.admin().topics().getSubscriptions(topic).isEmpty());
    }

    private static void readerNamed(Context context) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 2);
        Reader<String> reader = context.closing(reader(context, topic, MessageId.earliest)
                .subscriptionName("mine")
                .create());
        context.say("subscriptions", context.admin().topics().getSubscriptions(topic));
        context.call(
                "another of the name",
                () -> context.closing(reader(context, topic, MessageId.earliest)
                                .subscriptionName("mine")
                                .create())
                        .isConnected());
        context.say("read", Messages.read(reader));
    }

    private static void readerOfNothing(Context context) throws Exception {
        String topic = context.topic("none");
        Reader<String> reader =
                context.closing(reader(context, topic, MessageId.earliest).create());
        context.say("read", Messages.read(reader));
        context.say("topics", context.admin().topics().getList(context.namespace()));
    }

    private static void readerEnd(Context context) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 2);
        Reader<String> reader =
                context.closing(reader(context, topic, MessageId.earliest).create());
        context.admin().topics().terminateTopic(topic);
        context.say("read", Messages.read(reader));
        context.await("end of topic", reader::hasReachedEndOfTopic);
    }

    private static void consumerEnd(Context context) throws Exception {
        String topic = context.topic("t");
        Messages.publish(context, topic, 2);
        Consumer<String> consumer = Messages.subscribe(context, topic, SubscriptionType.Exclusive);
        context.admin().topics().terminateTopic(topic);
        context.say("received", Messages.take(consumer, 2));
        context.await("end of topic", consumer::hasReachedEndOfTopic);
        context.call("publish", () -> Messages.publish(context, topic, 1).size());
        context.call("producer", () -> Messages.producer(context, topic).isConnected());
    }
}
