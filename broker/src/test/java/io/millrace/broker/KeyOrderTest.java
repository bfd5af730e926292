package io.millrace.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real consumers of a Key_Shared subscription that come, go and crash, while a producer sends a thousand keys. */
@Timeout(180)
class KeyOrderTest {
    private static final int KEYS = 1_000;
    private static final int MAX_CONSUMERS = 50;
    private static final long CHURN_NANOS = TimeUnit.SECONDS.toNanos(Boolean.getBoolean("millrace.deep") ? 60 : 5);

    @TempDir
    Path folder;

    private final List<Worker> workers = new ArrayList<>();
    private final KeyOrder order = new KeyOrder(KEYS);
    private PulsarClient client;
    private Broker broker;

    @Test
    @Behaviour({"ACK-2", "ACK-6"})
    void theOrderOfEachKeyHoldsWhileConsumersComeAndGoAndNothingIsLostOrStuck() throws Exception {
        long seed = System.nanoTime();
        try (Broker started = Broker.start(BrokerConfig.defaults(folder).withPort(0));
                PulsarClient shared = RealClient.of(started).build();
                Producer<byte[]> producer = shared.newProducer()
                        .topic("keys")
                        .enableBatching(false)
                        .maxPendingMessages(5_000)
                        .blockIfQueueFull(true)
                        .create()) {
            broker = started;
            client = shared;
            workers.add(new Worker());
            AtomicReference<Throwable> sendFailure = new AtomicReference<>();
            Random random = new Random(seed);
            long end = System.nanoTime() + CHURN_NANOS;
            long nextChange = 0;
            while (System.nanoTime() < end) {
                send(producer, random.nextInt(KEYS), sendFailure);
                if (System.nanoTime() > nextChange) {
                    change(random);
                    nextChange = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(60));
                }
            }
            producer.flush();
            awaitEverything(seed);
            assertThat(sendFailure).hasNullValue();
            for (Worker worker : workers) {
                worker.leave();
            }
        }
        assertThat(order.violations).as("seed %d", seed).isEmpty();
    }

    private void send(Producer<byte[]> producer, int key, AtomicReference<Throwable> failure) {
        CompletionStage<MessageId> sent = producer.newMessage()
                .key("k" + key)
                .value(Integer.toString(order.nextToSend(key)).getBytes(UTF_8))
                .sendAsync();
        sent.whenComplete((id, problem) -> {
            if (problem != null) {
                failure.set(problem);
            }
        });
    }

    private void change(Random random) throws Exception {
        boolean joins = workers.size() < 2 || (workers.size() < MAX_CONSUMERS && random.nextInt(100) < 55);
        if (joins) {
            workers.add(
                    random.nextInt(8) == 0 ? new Worker(RealClient.of(broker).build()) : new Worker());
        } else {
            workers.remove(random.nextInt(workers.size())).leave();
        }
    }

    private void awaitEverything(long seed) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        int missing = order.missing();
        while (missing > 0) {
            assertThat(order.violations).as("seed %d", seed).isEmpty();
            assertThat(System.nanoTime()).as("seed %d, stuck: %s", seed, order).isLessThan(deadline);
            int left = order.missing();
            if (left < missing) {
                deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            }
            missing = left;
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** One consumer; what reaches it after it began to leave is not its business any more. */
    private final class Worker {
        final Consumer<byte[]> consumer;
        private final PulsarClient own;
        private boolean leaving;

        Worker() throws Exception {
            this(null);
        }

        /** With a connection of its own, which it drops when it leaves. */
        Worker(PulsarClient own) throws Exception {
            this.own = own;
            consumer = (own == null ? client : own)
                    .newConsumer()
                    .topic("keys")
                    .subscriptionName("workers")
                    .subscriptionType(SubscriptionType.Key_Shared)
                    .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                    .receiverQueueSize(100)
                    .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS)
                    .isAckReceiptEnabled(true)
                    .messageListener(this::received)
                    .subscribe();
        }

        void leave() throws Exception {
            synchronized (this) {
                leaving = true;
            }
            if (own == null) {
                consumer.close();
            } else {
                own.shutdown();
            }
        }

        private synchronized void received(Consumer<byte[]> from, Message<byte[]> message) {
            if (!leaving) {
                int key = Integer.parseInt(message.getKey().substring(1));
                int number = Integer.parseInt(new String(message.getData(), UTF_8));
                order.received(key, number);
                CompletionStage<Void> receipt = from.acknowledgeAsync(message);
                receipt.thenRun(() -> order.acknowledged(key, number));
            }
        }
    }

    /** What was sent, received and acknowledged of each key. */
    private static final class KeyOrder {
        final Queue<String> violations = new ConcurrentLinkedQueue<>();
        private final int[] sent;
        private final int[] next;
        private final int[] acked;

        KeyOrder(int keys) {
            sent = new int[keys];
            next = new int[keys];
            acked = new int[keys];
        }

        synchronized int nextToSend(int key) {
            return sent[key]++;
        }

        /** A message may come again until its acknowledgement has its receipt, and then its key goes on behind it. */
        synchronized void received(int key, int number) {
            if (number > next[key]) {
                violations.add("key " + key + ": " + number + " came before " + next[key]);
            } else if (number < acked[key]) {
                violations.add("key " + key + ": " + number + " came again after " + acked[key] + " receipts");
            }
            next[key] = number + 1;
        }

        synchronized void acknowledged(int key, int number) {
            acked[key] = Math.max(acked[key], number + 1);
        }

        /** Messages that have not come yet, or are to come again behind one that has. */
        synchronized int missing() {
            int missing = 0;
            for (int key = 0; key < sent.length; key++) {
                missing += sent[key] - next[key];
            }
            return missing;
        }

        @Override
        public synchronized String toString() {
            return missing() + " of " + Arrays.stream(sent).sum() + " messages are missing";
        }
    }
}
