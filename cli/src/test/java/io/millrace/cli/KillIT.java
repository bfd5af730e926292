package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker that is killed again and again while lines go through it, with one consumer on an Exclusive subscription and
 * two on a Shared one. {@code -Dmillrace.seed=N} repeats a run's kill points.
 */
@Behaviour("LOG-1")
class KillIT {
    static final Duration LIMIT = Duration.ofMinutes(4);
    private static final Duration QUIET_LIMIT = Duration.ofSeconds(30);
    private static final int UNBATCHED_LINES = 100_000;
    private static final String MARKER = "nothing acknowledged came before this";

    private final int kills = Integer.getInteger("millrace.kills", 10);
    private final long seed = Long.getLong("millrace.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @TempDir
    Path folder;

    @Test
    void batchedLinesSurviveTheBrokersDeaths() throws Exception {
        run(InputLines.read(InputLines.realOrSeeded(folder, seed)), true);
    }

    @Test
    void singleLinesSurviveTheBrokersDeaths() throws Exception {
        run(InputLines.read(InputLines.seeded(folder, seed, UNBATCHED_LINES)), false);
    }

    private void run(List<byte[]> lines, boolean batched) throws Exception {
        Deliveries alone = new Deliveries("exclusive", lines, true);
        Deliveries together = new Deliveries("shared", lines, false);
        String context = "seed " + seed + ", " + (batched ? "batched" : "single") + ", " + kills + " kills";
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ServedBroker broker = ServedBroker.start(folder);
                PulsarClient sending = Clients.open(broker.url());
                PulsarClient receiving = Clients.open(broker.url())) {
            List<LineSubscriber> subscribers = List.of(
                    new LineSubscriber(receiving, "lines", SubscriptionType.Exclusive, alone),
                    new LineSubscriber(receiving, "lines", SubscriptionType.Shared, together),
                    new LineSubscriber(receiving, "lines", SubscriptionType.Shared, together));
            LinePublisher publisher = new LinePublisher(sending, "lines", lines, batched);
            List<Future<?>> work = new ArrayList<>();
            for (Callable<?> each : subscribers) {
                work.add(threads.submit(each));
            }
            work.add(threads.submit(publisher));
            for (int kill = 1; kill <= kills; kill++) {
                awaitProgress(publisher, killPoint(kill, lines.size()), work);
                kill(broker, publisher, subscribers, List.of(alone, together));
            }
            Await.until(
                    LIMIT,
                    () -> allDone(work),
                    () -> publisher.receipted() + " receipts; " + alone.describe() + "; " + together.describe());
            assertNothingComesAgain(broker, sending, subscribers);
            assertRepeatsHadNoReceipt(alone, publisher);
            assertRepeatsHadNoReceipt(together, publisher);
        } catch (Exception | AssertionError e) {
            throw new AssertionError(
                    context + ": " + e.getMessage() + "; " + alone.describe() + "; " + together.describe(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Receipts before the kill: spread over the run, and anywhere within its share. */
    private int killPoint(int kill, int lines) {
        int share = lines / (kills + 1);
        return share * (kill - 1) + random.nextInt(share);
    }

    private static void awaitProgress(LinePublisher publisher, int receipts, List<Future<?>> work) throws Exception {
        Await.until(
                LIMIT,
                () -> publisher.receipted() >= receipts || anyFailed(work),
                () -> publisher.receipted() + " receipts, not " + receipts);
    }

    private void kill(
            ServedBroker broker, LinePublisher publisher, List<LineSubscriber> subscribers, List<Deliveries> deliveries)
            throws Exception {
        broker.kill();
        for (LineSubscriber subscriber : subscribers) {
            Await.until(
                    QUIET_LIMIT, () -> !subscriber.isConnected(), () -> "a consumer still connected to a dead broker");
            int before = subscriber.emptyReceives();
            Await.until(
                    QUIET_LIMIT,
                    () -> subscriber.emptyReceives() > before + 1 || subscriber.hasEnded(),
                    () -> "a consumer still receiving from a dead broker");
        }
        publisher.brokerDied();
        deliveries.forEach(Deliveries::nextIncarnation);
        broker.restart();
    }

    private static boolean anyFailed(List<Future<?>> work) throws Exception {
        allDone(work);
        return false;
    }

    private static boolean allDone(List<Future<?>> work) throws Exception {
        boolean done = true;
        for (Future<?> each : work) {
            done &= each.isDone();
            if (each.isDone()) {
                rethrow(each);
            }
        }
        return done;
    }

    private static void rethrow(Future<?> done) throws InterruptedException {
        try {
            done.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().getMessage(), e.getCause());
        }
    }

    private static void assertRepeatsHadNoReceipt(Deliveries deliveries, LinePublisher publisher) {
        for (int line : deliveries.repeatedLines()) {
            assertThat(publisher.mayRepeat(line))
                    .as("line " + line + " is stored twice, though it had its receipt before any kill")
                    .isTrue();
        }
    }

    /** A second copy of a line may come, as one that had no receipt of its acknowledgement when all lines were there. */
    private static void assertNothingComesAgain(
            ServedBroker broker, PulsarClient sending, List<LineSubscriber> subscribers) throws Exception {
        broker.kill();
        for (LineSubscriber subscriber : subscribers) {
            Await.until(
                    QUIET_LIMIT, () -> !subscriber.isConnected(), () -> "a consumer still connected to a dead broker");
        }
        subscribers.stream().map(LineSubscriber::deliveries).distinct().forEach(Deliveries::nextIncarnation);
        broker.restart();
        LineSubscriber alone = subscribers.get(0);
        LineSubscriber left = subscribers.get(1);
        LineSubscriber right = subscribers.get(2);
        right.consumer().close();
        try (var producer = sending.newProducer().topic("lines").create()) {
            producer.newMessage().value(MARKER.getBytes(StandardCharsets.UTF_8)).send();
        }
        for (LineSubscriber subscriber : List.of(alone, left)) {
            Message<byte[]> next = subscriber.consumer().receive(30, TimeUnit.SECONDS);
            while (next != null && !isMarker(next)) {
                subscriber.deliveries().received(next);
                next = subscriber.consumer().receive(30, TimeUnit.SECONDS);
            }
            assertThat(next).as("the marker").isNotNull();
        }
    }

    private static boolean isMarker(Message<byte[]> message) {
        return MARKER.equals(new String(message.getData(), StandardCharsets.UTF_8));
    }
}
