package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.AckRequest.AckedPosition;
import io.millrace.broker.dispatch.DispatchOracle.Client;
import io.millrace.broker.dispatch.DispatcherCommand.Detach;
import io.millrace.broker.dispatch.DispatcherCommand.Redeliver;
import io.millrace.broker.dispatch.DispatcherCommand.Writable;
import io.millrace.broker.dispatch.RecordingConsumer.Delivered;
import io.millrace.broker.dispatch.SeekTarget.ToPosition;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Any sequence of what clients can do, step by step against an oracle. A failure names its seed; the system property
 * {@code dispatch.seed} runs that one alone.
 */
class RandomisedDispatchTest {
    private static final long BUDGET_NANOS =
            TimeUnit.SECONDS.toNanos(Long.getLong("dispatch.seconds", Boolean.getBoolean("millrace.deep") ? 600 : 10));
    private static final int STEPS = 150;
    private static final int MAX_CLIENTS = 20;
    /** A limit that no run comes to. */
    private static final int FAR = 1_000_000;

    @TempDir
    Path folder;

    private final Queue<Delivered> journal = new ConcurrentLinkedQueue<>();
    private Random random;
    private OneSubscription subscription;
    private DispatchOracle oracle;
    private boolean canGoBack;
    private int keys;
    private int names;

    @Test
    @Behaviour({"ACK-1", "ACK-2", "ACK-3", "ACK-4", "ACK-5", "ACK-6", "ACK-7", "ACK-8", "ACK-9", "ACK-12", "ACK-13"})
    void everySequenceOfStepsKeepsTheBooksBalanced() throws IOException {
        Long only = Long.getLong("dispatch.seed");
        long seed = only == null ? System.nanoTime() : only;
        long end = System.nanoTime() + BUDGET_NANOS;
        do {
            String step = "start";
            try {
                start(seed);
                for (int i = 0; i < STEPS; i++) {
                    step = "step " + i + ": " + step();
                    check();
                }
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed + ", " + step, failure);
            } finally {
                subscription.close();
            }
            delete(folderOf(seed));
            seed++;
        } while (only == null && System.nanoTime() < end);
    }

    private void start(long seed) throws IOException {
        random = new Random(seed);
        journal.clear();
        canGoBack = random.nextBoolean();
        SubscriptionType[] types = SubscriptionType.values();
        keys = 1 + random.nextInt(40);
        SubscriptionSettings settings = SubscriptionSettings.durable("s", types[random.nextInt(types.length)])
                .withMaxUnacked(random.nextBoolean() ? FAR : 12, random.nextBoolean() ? FAR : 20)
                .withMaxRemembered(random.nextBoolean() ? FAR : 20);
        LogConfig config = LogConfig.defaults(folderOf(seed)).withLedgers(1 << 20, 5 + random.nextInt(20));
        subscription = new OneSubscription(
                random.nextBoolean() ? config.withMemory(4096, 1 << 20) : config, settings, 1 << random.nextInt(8));
        oracle = new DispatchOracle(settings, subscription.nowMillis);
        if (canGoBack) {
            subscription.durable(SubscriptionSettings.durable("keeps-everything", SubscriptionType.EXCLUSIVE));
        }
    }

    private Path folderOf(long seed) {
        return folder.resolve("seed" + seed);
    }

    /** Ten minutes of logs would fill the disk. */
    private static void delete(Path tree) throws IOException {
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private String step() throws IOException {
        int kind = random.nextInt(100);
        if (kind < 15 || oracle.stored.isEmpty()) {
            return publish();
        } else if (kind < 25 || oracle.clients.isEmpty()) {
            return join();
        } else if (kind < 45) {
            return flow();
        } else if (kind < 62) {
            return ack();
        } else if (kind < 70) {
            return ackUpTo();
        } else if (kind < 78) {
            return ackPartly();
        } else if (kind < 87) {
            return redeliver();
        } else if (kind < 92) {
            return leave();
        } else if (kind < 94) {
            return toggleWritable();
        } else if (kind < 96) {
            return advanceClock();
        } else if (kind < 98) {
            return seek();
        }
        return restart();
    }

    private String publish() {
        int count = 1 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            int messages = random.nextInt(3) == 0 ? 1 + random.nextInt(8) : 1;
            int keyHash = 1 + random.nextInt(keys) * 1_601;
            long deliverAt = random.nextInt(6) == 0 ? subscription.nowMillis + random.nextInt(5_000) : 0;
            oracle.published(
                    subscription.append(messages, keyHash, deliverAt, 0),
                    new DispatchOracle.Stored(messages, keyHash, deliverAt));
        }
        subscription.awaitDurable();
        return "publish " + count;
    }

    private String join() {
        if (oracle.clients.size() == MAX_CLIENTS) {
            return "nobody joins";
        }
        RecordingConsumer consumer =
                new RecordingConsumer((char) ('a' + random.nextInt(26)) + "-" + names++, journal::add);
        if (oracle.type == SubscriptionType.EXCLUSIVE && !oracle.clients.isEmpty()) {
            assertThat(subscription.refusedAttach(consumer, oracle.type).kind()).isEqualTo(ErrorKind.CONSUMER_BUSY);
            return "second exclusive " + consumer.name;
        }
        int priority = random.nextInt(4) == 0 ? 1 : 0;
        oracle.joined(new Client(consumer, priority));
        subscription.attach(consumer, oracle.type, priority);
        return "join " + consumer.name + " priority " + priority;
    }

    private String leave() {
        Client client = anyClient();
        oracle.left(client);
        subscription.dispatcher.tell(new Detach(client.consumer));
        return "leave " + client.name();
    }

    private String flow() {
        Client client = anyClient();
        int permits = 1 + random.nextInt(20);
        client.permits += permits;
        subscription.flow(client.consumer, permits);
        return "flow " + client.name() + " " + permits;
    }

    private String ack() {
        List<Position> positions = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            positions.add(anyPosition());
        }
        positions.forEach(oracle::ackedWholly);
        send(AckRequest.individual(positions));
        return "ack " + positions;
    }

    private String ackUpTo() {
        Position position = anyPosition();
        oracle.ackedUpTo(position);
        send(AckRequest.cumulative(position));
        return "ack up to " + position;
    }

    private String ackPartly() {
        Position position = anyPosition();
        BitSet remaining = new BitSet();
        for (int i = 0; i < oracle.stored.get(position).messages(); i++) {
            remaining.set(i, random.nextInt(3) > 0);
        }
        if (remaining.isEmpty()) {
            remaining.set(0);
        }
        oracle.ackedPartly(position, remaining);
        send(new AckRequest(AckRequest.Kind.INDIVIDUAL, List.of(new AckedPosition(position, remaining.toLongArray()))));
        return "ack " + position + " but for " + remaining;
    }

    private String redeliver() {
        Client client = anyClient();
        List<Position> positions = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            positions.add(anyPosition());
        }
        oracle.redelivered(client, positions);
        subscription.dispatcher.tell(new Redeliver(client.consumer, positions));
        return "redeliver " + client.name() + " " + positions;
    }

    private String toggleWritable() {
        Client client = anyClient();
        client.consumer.writable = !client.consumer.writable;
        subscription.dispatcher.tell(new Writable());
        return client.name() + " writable " + client.consumer.writable;
    }

    private String advanceClock() {
        long millis = random.nextInt(12) * DelayedEntries.TICK_MILLIS;
        subscription.advance(millis);
        oracle.nowMillis = subscription.nowMillis;
        return "clock + " + millis;
    }

    private String seek() {
        List<Client> closed = new ArrayList<>(oracle.clients);
        List<Position> all = new ArrayList<>(oracle.stored.keySet());
        int index = canGoBack ? random.nextInt(all.size() + 2) - 1 : all.size();
        Position target = index < 0 ? SeekTarget.EARLIEST : index == all.size() ? SeekTarget.LATEST : all.get(index);
        oracle.movedTo(target);
        subscription.seek(ToPosition.of(target));
        closed.forEach(client -> assertThat(client.consumer.closes).containsExactly(CloseReason.SEEK));
        return "seek " + target;
    }

    private String restart() throws IOException {
        oracle.restarted();
        oracle.type = subscription.settings.type();
        subscription.restart();
        return "restart";
    }

    private void send(AckRequest request) {
        CompletableFuture<Void> receipt = subscription.acking(anyClient().consumer, request);
        if (random.nextInt(4) == 0) {
            OneSubscription.await(receipt);
        }
    }

    private Client anyClient() {
        return oracle.clients.get(random.nextInt(oracle.clients.size()));
    }

    /** Most often one that is pending, else any stored one. */
    private Position anyPosition() {
        List<Position> pending = new ArrayList<>(oracle.pendingPositions());
        if (!pending.isEmpty() && random.nextInt(5) > 0) {
            return pending.get(random.nextInt(Math.min(12, pending.size())));
        }
        List<Position> all = new ArrayList<>(oracle.stored.keySet());
        return all.get(random.nextInt(all.size()));
    }

    private void check() {
        OneSubscription.until("everything due is delivered", () -> {
            for (Delivered next = journal.poll(); next != null; next = journal.poll()) {
                oracle.delivered(next);
            }
            return oracle.isSettled();
        });
        subscription.checkInvariants();
        DispatcherStats stats = subscription.stats();
        assertThat(stats.pendingEntries()).isEqualTo(oracle.pendingPositions().size());
        assertThat(stats.waitingEntries()).isEqualTo(oracle.waiting.size());
        assertThat(stats.consumers()).hasSize(oracle.clients.size());
        for (Client client : oracle.clients) {
            assertThat(stats.consumers())
                    .filteredOn(each -> each.name().equals(client.name()))
                    .singleElement()
                    .satisfies(each -> {
                        assertThat(each.permits())
                                .as("permits of " + client.name())
                                .isEqualTo(client.permits);
                        assertThat(each.unackedMessages()).isEqualTo(oracle.unacked(client));
                    });
        }
        assertThat(journal).isEmpty();
    }
}
