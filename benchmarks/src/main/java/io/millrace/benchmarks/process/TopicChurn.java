package io.millrace.benchmarks.process;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * Pattern consumers of a namespace, each of topics of its own, while messages flow and topics come and go. A topic that comes is
 * published to at once, and deleted once the consumer has had its message. Whatever was published arrives, or it throws.
 */
final class TopicChurn implements AutoCloseable {
    private static final int MAX_MESSAGES_AT_ONCE = 10_000;
    private static final int MAX_TOPICS_AT_ONCE = 50;
    private static final int MESSAGES_PER_SECOND = 1_000;
    private static final long NANOS_BETWEEN = TimeUnit.SECONDS.toNanos(1) / MESSAGES_PER_SECOND;
    private static final long ARRIVAL_SECONDS = 60;

    private final AdminClient admin;
    private final PulsarClient client;
    private final String namespace;
    private final int topicsPerSecond;
    private final List<Consumer<byte[]>> consumers = new ArrayList<>();
    private final List<Producer<byte[]>> producers = new ArrayList<>();
    private final Map<String, CompletableFuture<Void>> awaited = new ConcurrentHashMap<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicLong numbers = new AtomicLong();

    TopicChurn(AdminClient admin, PulsarClient client, String namespace, int topicsPerSecond) {
        this.admin = admin;
        this.client = client;
        this.namespace = namespace;
        this.topicsPerSecond = topicsPerSecond;
    }

    /** The full name of a topic that pattern consumer {@code consumer} matches. */
    static String matched(String namespace, int consumer, String rest) {
        return "persistent://" + namespace + "/matched-" + consumer + "-" + rest;
    }

    /** Subscribes so many pattern consumers and makes a producer for the first topic of each. */
    void start(int patterns) throws Exception {
        for (int i = 0; i < patterns; i++) {
            consumers.add(client.newConsumer()
                    .topicsPattern(Pattern.compile(matched(namespace, i, ".*")))
                    .subscriptionName("pattern-" + i)
                    .subscriptionType(SubscriptionType.Shared)
                    .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                    .messageListener(this::received)
                    .subscribe());
            producers.add(BenchmarkClient.unbatched(client, matched(namespace, i, "0")));
        }
    }

    private void received(Consumer<byte[]> consumer, Message<byte[]> message) {
        CompletableFuture<Void> arrival = awaited.remove(new String(message.getData(), StandardCharsets.UTF_8));
        var unused = consumer.acknowledgeAsync(message).whenComplete((done, refusal) -> {
            if (arrival != null) {
                arrival.complete(null);
            }
        });
    }

    /** Lets topics come and go for so long; nanoseconds from a topic's creation until its message has arrived. */
    Histogram run(int seconds) throws Exception {
        Histogram nanos = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(2), 3);
        Semaphore messages = new Semaphore(MAX_MESSAGES_AT_ONCE);
        Semaphore topics = new Semaphore(MAX_TOPICS_AT_ONCE);
        long begin = System.nanoTime();
        for (long i = 0; i < (long) seconds * MESSAGES_PER_SECOND && failure.get() == null; i++) {
            LockSupport.parkNanos(begin + i * NANOS_BETWEEN - System.nanoTime());
            await(messages, publish(producers.get((int) (i % producers.size()))));
            if (i % (MESSAGES_PER_SECOND / topicsPerSecond) == 0) {
                await(topics, comeAndGo((int) (i / (MESSAGES_PER_SECOND / topicsPerSecond) % consumers.size()), nanos));
            }
        }
        boolean areThere = messages.tryAcquire(MAX_MESSAGES_AT_ONCE, ARRIVAL_SECONDS, TimeUnit.SECONDS)
                && topics.tryAcquire(MAX_TOPICS_AT_ONCE, ARRIVAL_SECONDS, TimeUnit.SECONDS);
        if (!areThere || failure.get() != null) {
            throw new IllegalStateException(
                    "lost: " + awaited.size() + " messages after " + ARRIVAL_SECONDS + " s" + whatIsLost(),
                    failure.get());
        }
        return nanos;
    }

    /** Some of it, with what the broker says of the topic of one. */
    private String whatIsLost() throws Exception {
        List<String> some = awaited.keySet().stream().limit(5).toList();
        if (some.isEmpty()) {
            return "";
        }
        String topic = some.get(0).substring(0, some.get(0).indexOf('#'));
        return ", such as " + some + "; "
                + admin.get("/admin/v2/" + topic.replace("://", "/") + "/stats").get(1, TimeUnit.MINUTES);
    }

    private void await(Semaphore room, CompletableFuture<?> step) throws InterruptedException {
        if (!room.tryAcquire(ARRIVAL_SECONDS, TimeUnit.SECONDS)) {
            failure.compareAndSet(null, new IllegalStateException("No step was done for a minute"));
            return;
        }
        var unused = step.whenComplete((done, refused) -> {
            failure.compareAndSet(null, refused);
            room.release();
        });
    }

    /** Publishes one message; done when its receipt and the message itself have arrived. */
    private CompletableFuture<?> publish(Producer<byte[]> producer) {
        String text = producer.getTopic() + "#" + numbers.incrementAndGet();
        CompletableFuture<Void> arrival = new CompletableFuture<>();
        awaited.put(text, arrival);
        return producer.sendAsync(text.getBytes(StandardCharsets.UTF_8)).thenCompose(receipt -> arrival);
    }

    private CompletableFuture<?> comeAndGo(int consumer, Histogram nanos) {
        String topic = matched(namespace, consumer, "new-" + numbers.incrementAndGet());
        String path = topic.replace("://", "/");
        return admin.put(path, "").thenCompose(created -> {
            long began = System.nanoTime();
            return client.newProducer()
                    .topic(topic)
                    .enableBatching(false)
                    .createAsync()
                    .thenCompose(producer -> publish(producer)
                            .thenRun(() -> nanos.recordValue(System.nanoTime() - began))
                            .thenCompose(arrived -> producer.closeAsync()))
                    .thenCompose(closed -> admin.delete(path + "?force=true"));
        });
    }

    @Override
    public void close() throws PulsarClientException {
        for (Producer<byte[]> producer : producers) {
            producer.close();
        }
        for (Consumer<byte[]> consumer : consumers) {
            consumer.close();
        }
    }
}
