package io.millrace.compatibility.messaging;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pulsar.client.api.BatcherBuilder;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.ConsumerCryptoFailureAction;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.api.TypedMessageBuilder;

/** What a message may carry, and that it arrives as it was sent. */
public final class Contents {
    private Contents() {}

    /** Adds them. */
    public static void declare(Scenarios scenarios) {
        for (CompressionType compression : CompressionType.values()) {
            String name = compression.name().toLowerCase(Locale.ROOT);
            scenarios
                    .add("compressed." + name + ".single", context -> compressed(context, compression, false))
                    .add("compressed." + name + ".batch", context -> compressed(context, compression, true))
                    .add("compressed." + name + ".chunked", context -> chunked(context, compression));
        }
        for (boolean batched : new boolean[] {false, true}) {
            String suffix = batched ? ".batch" : ".single";
            scenarios
                    .add("metadata" + suffix, context -> metadata(context, batched))
                    .add("key-bytes" + suffix, context -> keyBytes(context, batched))
                    .add("null-and-empty" + suffix, context -> nullAndEmpty(context, batched))
                    .add("encrypted" + suffix, context -> encrypted(context, batched))
                    .add("encrypted-without-key" + suffix, context -> withoutKey(context, batched))
                    .add("sequence-ids" + suffix, context -> sequenceIds(context, batched))
                    .add("delayed-for" + suffix, context -> delayed(context, batched, SubscriptionType.Shared))
                    .add(
                            "delayed-exclusive" + suffix,
                            context -> delayed(context, batched, SubscriptionType.Exclusive));
        }
        scenarios
                .add("batch.by-key", Contents::batchByKey)
                .add("chunks.interleaved", Contents::chunksInterleaved)
                .add("chunks.id-and-seek", Contents::chunkIds)
                .add("too-large", Contents::tooLarge)
                .add("delayed.at-times", Contents::delayedAt)
                .add("properties.many", Contents::manyProperties)
                .add("disordered-event-times", Contents::eventTimes);
    }

    private static Producer<byte[]> producer(Context context, String topic, boolean batched) throws Exception {
        return context.closing(builder(context, topic, batched).create());
    }

    private static ProducerBuilder<byte[]> builder(Context context, String topic, boolean batched) {
        return context.client()
                .newProducer()
                .topic(topic)
                .enableBatching(batched)
                .batchingMaxPublishDelay(1, TimeUnit.HOURS);
    }

    private static ConsumerBuilder<byte[]> consumer(Context context, String topic, SubscriptionType type) {
        return context.client()
                .newConsumer()
                .topic(topic)
                .subscriptionName("s")
                .subscriptionType(type)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest);
    }

    private static Consumer<byte[]> subscribe(Context context, String topic) throws Exception {
        return context.closing(
                consumer(context, topic, SubscriptionType.Exclusive).subscribe());
    }

    private static Message<byte[]> next(Consumer<byte[]> consumer) throws Exception {
        Message<byte[]> message = consumer.receive(15, TimeUnit.SECONDS);
        if (message == null) {
            throw new TimeoutException("nothing came");
        }
        return message;
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i / 7);
        }
        return bytes;
    }

    private static void compressed(Context context, CompressionType compression, boolean batched) throws Exception {
        String topic = context.topic("t");
        Producer<byte[]> producer = context.closing(
                builder(context, topic, batched).compressionType(compression).create());
        for (int i = 1; i <= 3; i++) {
            Messages.flushedLater(producer.sendAsync(bytes(i * 10_000)));
        }
        producer.flush();
        Consumer<byte[]> consumer = subscribe(context, topic);
        for (int i = 1; i <= 3; i++) {
            Message<byte[]> message = next(consumer);
            context.say("bytes", message.getData().length);
            context.say("are equal", Arrays.equals(message.getData(), bytes(i * 10_000)));
            context.say("id", message.getMessageId());
        }
    }

    private static void chunked(Context context, CompressionType compression) throws Exception {
        String topic = context.topic("t");
        Producer<byte[]> producer = context.closing(context.client()
                .newProducer()
                .topic(topic)
                .enableBatching(false)
                .enableChunking(true)
                .chunkMaxMessageSize(10_000)
                .compressionType(compression)
                .create());
        producer.newMessage().key("k").property("p", "q").value(bytes(100_000)).send();
        Message<byte[]> message = next(subscribe(context, topic));
        context.say("are equal", Arrays.equals(message.getData(), bytes(100_000)));
        context.say("key", message.getKey());
        context.say("properties", message.getProperties());
    }

    private static void metadata(Context context, boolean batched) throws Exception {
        String topic = context.topic("t");
        Producer<byte[]> producer = context.closing(
                builder(context, topic, batched).producerName("me").create());
        Consumer<byte[]> consumer = subscribe(context, topic);
        TypedMessageBuilder<byte[]> message = producer.newMessage()
                .key("key")
                .orderingKey(new byte[] {1, 2})
                .eventTime(1_000)
                .sequenceId(42)
                .property("a", "1")
                .property("b", "")
                .property("ü", "ö\n")
                .value(bytes(3));
        Messages.flushedLater(message.sendAsync());
        Messages.flushedLater(producer.newMessage().value(bytes(1)).sendAsync());
        producer.flush();
        for (int i = 0; i < 2; i++) {
            Message<byte[]> received = next(consumer);
            context.say("id", received.getMessageId());
            context.say("key", received.getKey());
            context.say("ordering key", Base64.getEncoder().encodeToString(orderingKey(received)));
            context.say("event time", received.getEventTime());
            context.say("sequence", received.getSequenceId());
            context.say("producer", received.getProducerName());
            context.say("properties", received.getProperties());
            context.say("topic", received.getTopicName());
            context.say("schema version", received.getSchemaVersion() == null);
            context.say("replicated", received.isReplicated());
            context.say("broker time", received.getBrokerPublishTime().isPresent());
            context.say("index", received.getIndex().isPresent());
            context.say("size", received.size());
        }
    }

    private static byte[] orderingKey(Message<byte[]> message) {
        return message.hasOrderingKey() ? message.getOrderingKey() : new byte[0];
    }

    private static void keyBytes(Context context, boolean batched) throws Exception {
        String topic = context.topic("t");
        Producer<byte[]> producer = producer(context, topic, batched);
        Messages.flushedLater(producer.newMessage()
                .keyBytes(new byte[] {(byte) 0xff, 0})
                .value(bytes(1))
                .sendAsync());
        Messages.flushedLater(producer.newMessage().key("").value(bytes(1)).sendAsync());
        Messages.flushedLater(producer.newMessage().value(bytes(1)).sendAsync());
        producer.flush();
        Consumer<byte[]> consumer = subscribe(context, topic);
        for (int i = 0; i < 3; i++) {
            Message<byte[]> message = next(consumer);
            context.say("has a key", message.hasKey());
            context.say("key", message.getKey());
            context.say("of bytes", message.hasBase64EncodedKey());
        }
    }

    private static void nullAndEmpty(Context context, boolean batched) throws Exception {
        String topic = context.topic("t");
        Producer<byte[]> producer = producer(context, topic, batched);
        Messages.flushedLater(producer.newMessage().value(null).sendAsync());
        Messages.flushedLater(producer.newMessage().value(new byte[0]).sendAsync());
        producer.flush();
        Consumer<byte[]> consumer = subscribe(context, topic);
        for (int i = 0; i < 2; i++) {
            Message<byte[]> message = next(consumer);
            context.say("value", message.getValue() == null ? "null" : message.getValue().length);
            context.say("data", message.getData() == null ? "null" : message.getData().length);
        }
    }

    private static void encrypted(Context context, boolean batched) throws Exception {
        String topic = context.topic("t");
        EncryptionKeys keys = new EncryptionKeys();
        Producer<byte[]> producer = context.closing(builder(context, topic, batched)
                .addEncryptionKey("k")
                .cryptoKeyReader(keys)
                .create());
        Messages.flushedLater(producer.newMessage().key("key").value(bytes(100)).sendAsync());
        Messages.flushedLater(producer.newMessage().value(bytes(200)).sendAsync());
        producer.flush();
        Consumer<byte[]> consumer = context.closing(consumer(context, topic, SubscriptionType.Exclusive)
                .cryptoKeyReader(keys)
                .subscribe());
        for (int i = 0; i < 2; i++) {
            Message<byte[]> message = next(consumer);
            context.say("bytes", message.getData().length);
            context.say("key", message.getKey());
            context.say(
                    "by",
                    message.getEncryptionCtx().map(of -> of.getKeys().keySet()).orElse(null));
        }
    }

    private static void withoutKey(Context context, boolean batched) throws Exception {
        String topic = context.topic("t");
        Producer<byte[]> producer = context.closing(builder(context, topic, batched)
                .addEncryptionKey("k")
                .cryptoKeyReader(new EncryptionKeys())
                .create());
        Messages.flushedLater(producer.sendAsync(bytes(100)));
        Messages.flushedLater(producer.sendAsync(bytes(100)));
        producer.flush();
        for (ConsumerCryptoFailureAction action : ConsumerCryptoFailureAction.values()) {
            Consumer<byte[]> consumer = context.closing(consumer(context, topic, SubscriptionType.Exclusive)
                    .subscriptionName("s-" + action)
                    .cryptoFailureAction(action)
                    .subscribe());
            Message<byte[]> message = consumer.receive(1, TimeUnit.SECONDS);
            context.say(action.name(), message == null ? "nothing" : message.getData().length > 100);
        }
    }

    private static void sequenceIds(Context context, boolean batched) throws Exception {
        String topic = context.topic("t");
        Producer<byte[]> producer = context.closing(builder(context, topic, batched)
                .producerName("p")
                .initialSequenceId(10)
                .create());
        for (int i = 0; i < 3; i++) {
            Messages.flushedLater(producer.sendAsync(bytes(1)));
        }
        producer.flush();
        context.say("last", producer.getLastSequenceId());
        Consumer<byte[]> consumer = subscribe(context, topic);
        for (int i = 0; i < 3; i++) {
            context.say("sequence", next(consumer).getSequenceId());
        }
        producer.close();
        context.say(
                "last of the next",
                context.closing(builder(context, topic, batched)
                                .producerName("p")
                                .create())
                        .getLastSequenceId());
    }

    private static void delayed(Context context, boolean batched, SubscriptionType type) throws Exception {
        String topic = context.topic("t");
        Consumer<byte[]> consumer =
                context.closing(consumer(context, topic, type).subscribe());
        Producer<byte[]> producer = producer(context, topic, batched);
        Messages.flushedLater(producer.newMessage()
                .deliverAfter(2, TimeUnit.SECONDS)
                .value(bytes(2))
                .sendAsync());
        Messages.flushedLater(producer.newMessage().value(bytes(1)).sendAsync());
        producer.flush();
        long began = System.nanoTime();
        for (int i = 0; i < 2; i++) {
            Message<byte[]> message = next(consumer);
            boolean late = System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(1_500);
            context.say("bytes", message.getData().length + (late ? " late" : " at once"));
        }
    }

    private static void delayedAt(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<byte[]> consumer = context.closing(
                consumer(context, topic, SubscriptionType.Shared).subscribe());
        Producer<byte[]> producer = producer(context, topic, false);
        long now = System.currentTimeMillis();
        producer.newMessage().deliverAt(now + 3_000).value(bytes(3)).send();
        producer.newMessage().deliverAt(now + 1_500).value(bytes(2)).send();
        producer.newMessage().deliverAt(now - 1_000).value(bytes(1)).send();
        boolean early = false;
        Set<Integer> sizes = new TreeSet<>();
        for (int i = 0; i < 3; i++) {
            int size = next(consumer).getData().length;
            early |= size > 1 && System.currentTimeMillis() < now + (size - 1) * 1_500L;
            sizes.add(size);
        }
        context.say("all", sizes);
        context.say("some too early", early);
    }

    private static void batchByKey(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<byte[]> producer = context.closing(builder(context, topic, true)
                .batcherBuilder(BatcherBuilder.KEY_BASED)
                .create());
        for (int i = 0; i < 6; i++) {
            Messages.flushedLater(
                    producer.newMessage().key("k" + i % 2).value(bytes(i)).sendAsync());
        }
        producer.flush();
        Consumer<byte[]> consumer = subscribe(context, topic);
        Map<String, List<Integer>> byKey = new HashMap<>();
        for (int i = 0; i < 6; i++) {
            Message<byte[]> message = next(consumer);
            byKey.computeIfAbsent(message.getKey(), unused -> new ArrayList<>()).add(message.getData().length);
        }
        context.say("by key", byKey);
    }

    private static void chunksInterleaved(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<byte[]> consumer = subscribe(context, topic);
        List<Producer<byte[]>> producers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            producers.add(context.closing(context.client()
                    .newProducer()
                    .topic(topic)
                    .enableBatching(false)
                    .enableChunking(true)
                    .chunkMaxMessageSize(5_000)
                    .create()));
        }
        for (Producer<byte[]> producer : producers) {
            Messages.flushedLater(producer.sendAsync(bytes(50_000)));
        }
        for (Producer<byte[]> producer : producers) {
            producer.flush();
        }
        for (int i = 0; i < 2; i++) {
            context.say("are equal", Arrays.equals(next(consumer).getData(), bytes(50_000)));
        }
    }

    private static void chunkIds(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<byte[]> producer = context.closing(context.client()
                .newProducer()
                .topic(topic)
                .enableBatching(false)
                .enableChunking(true)
                .chunkMaxMessageSize(1_000)
                .create());
        producer.send(bytes(10));
        MessageId large = producer.send(bytes(2_500));
        producer.send(bytes(20));
        Consumer<byte[]> consumer = context.closing(consumer(context, topic, SubscriptionType.Exclusive)
                .startMessageIdInclusive()
                .subscribe());
        for (int i = 0; i < 3; i++) {
            Message<byte[]> message = next(consumer);
            context.say("bytes", message.getData().length);
            consumer.acknowledge(message);
        }
        consumer.seek(large);
        context.say("after the seek", next(consumer).getData().length);
    }

    private static void tooLarge(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<byte[]> producer = producer(context, topic, false);
        context.call("six MiB", () -> producer.send(new byte[6 * 1024 * 1024]));
        context.call(
                "then a small one", () -> producer.send(new byte[1]).toString().isEmpty());
    }

    private static void manyProperties(Context context) throws Exception {
        String topic = context.topic("t");
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            properties.put("key" + i, "v".repeat(i));
        }
        producer(context, topic, false)
                .newMessage()
                .properties(properties)
                .value(bytes(1))
                .send();
        context.say("are equal", next(subscribe(context, topic)).getProperties().equals(properties));
    }

    private static void eventTimes(Context context) throws Exception {
        String topic = context.topic("t");
        Producer<byte[]> producer = producer(context, topic, false);
        for (long time : new long[] {5_000, 1_000, 3_000}) {
            producer.newMessage().eventTime(time).value(bytes(1)).send();
        }
        Consumer<byte[]> consumer = subscribe(context, topic);
        for (int i = 0; i < 3; i++) {
            context.say("event time", next(consumer).getEventTime());
        }
    }
}
