package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One of a hundred consumers of a Shared subscription stays connected and takes nothing. */
@Timeout(300)
class DeadConsumerTest {
    private static final boolean DEEP = Boolean.getBoolean("millrace.deep");
    private static final int CONSUMERS = 100;
    private static final int QUEUE = 10;
    private static final int MESSAGES = DEEP ? 20_000 : 2_000;
    private static final int ROUNDS = 5;

    @TempDir
    Path folder;

    @Test
    @Behaviour("ACK-1")
    void theOthersGetEverythingButWhatItHoldsAtNearlyTheirRate() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.defaults(folder).withPort(0));
                PulsarClient client = RealClient.of(broker).build()) {
            run(client, "one-dead", true);
            if (DEEP) {
                assertThat(rateKept(client))
                        .as("what the others keep of their rate")
                        .isGreaterThan(0.8);
            }
        }
    }

    private static double rateKept(PulsarClient client) throws Exception {
        long[] alive = new long[ROUNDS];
        long[] oneDead = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            alive[round] = run(client, "alive-" + round, false);
            oneDead[round] = run(client, "one-dead-" + round, true);
        }
        Arrays.sort(alive);
        Arrays.sort(oneDead);
        return (double) alive[ROUNDS / 2] / oneDead[ROUNDS / 2];
    }

    /** How long the living consumers take for all messages, those that the dead one holds left out. */
    private static long run(PulsarClient client, String topic, boolean oneIsDead) throws Exception {
        AtomicInteger work = new AtomicInteger();
        AtomicInteger audit = new AtomicInteger();
        List<Consumer<byte[]>> consumers = new ArrayList<>();
        try (Producer<byte[]> producer = client.newProducer()
                .topic(topic)
                .enableBatching(false)
                .maxPendingMessages(1_000)
                .blockIfQueueFull(true)
                .create()) {
            consumers.add(counting(client, topic, "audit", audit).subscribe());
            for (int i = 0; i < CONSUMERS; i++) {
                boolean isDead = oneIsDead && i == 0;
                consumers.add(
                        (isDead ? consumer(client, topic, "work") : counting(client, topic, "work", work)).subscribe());
            }
            long begin = System.nanoTime();
            List<CompletableFuture<MessageId>> receipts = new ArrayList<>();
            for (int i = 0; i < MESSAGES; i++) {
                receipts.add(producer.sendAsync(new byte[100]));
            }
            await(work, MESSAGES - (oneIsDead ? QUEUE : 0));
            long nanos = System.nanoTime() - begin;
            await(audit, MESSAGES);
            for (CompletableFuture<MessageId> receipt : receipts) {
                receipt.get(60, TimeUnit.SECONDS);
            }
            return nanos;
        } finally {
            for (Consumer<byte[]> consumer : consumers) {
                consumer.close();
            }
        }
    }

    private static void await(AtomicInteger count, int atLeast) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (count.get() < atLeast) {
            assertThat(System.nanoTime()).as("%s of %d", count, atLeast).isLessThan(deadline);
            LockSupport.parkNanos(100_000);
        }
    }

    private static ConsumerBuilder<byte[]> consumer(PulsarClient client, String topic, String subscription) {
        return client.newConsumer()
                .topic(topic)
                .subscriptionName(subscription)
                .subscriptionType(SubscriptionType.Shared)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .receiverQueueSize(QUEUE);
    }

    private static ConsumerBuilder<byte[]> counting(
            PulsarClient client, String topic, String subscription, AtomicInteger count) {
        return consumer(client, topic, subscription).messageListener((consumer, message) -> {
            acknowledge(consumer, message);
            count.incrementAndGet();
        });
    }

    private static void acknowledge(Consumer<byte[]> consumer, Message<byte[]> message) {
        try {
            consumer.acknowledge(message);
        } catch (PulsarClientException e) {
            throw new IllegalStateException(e);
        }
    }
}
