package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The main job: lines through {@code produce} to the broker and through {@code consume} to files.
 * {@code -Dmillrace.test.url=pulsar://HOST:PORT} has another broker do it.
 */
class MainJobIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long SEED = 20_260_101L;
    /** A machine that stands still for a while spoils one stop, not each. */
    private static final int STOP_ATTEMPTS = 3;

    private final @Nullable String otherUrl = System.getProperty("millrace.test.url");
    private String topic = "";

    @TempDir
    Path folder;

    private @Nullable ServedBroker broker;

    @BeforeEach
    void startBroker() throws Exception {
        broker = otherUrl == null ? ServedBroker.start(folder) : null;
    }

    @AfterEach
    void stopBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void everyLineOfTheRealInputArrivesOnceOnEachSubscription() throws Exception {
        carry(InputLines.realOrSeeded(folder, SEED));
    }

    @Test
    void emptyLongAndNonAsciiLinesArriveAsTheyAre() throws Exception {
        carry(InputLines.seeded(folder, SEED, 60_000));
    }

    /** What a consumer that was cut off had got may have come again elsewhere: then all is done once more. */
    private void carry(Path input) throws Exception {
        LineDigest sent = LineDigest.of(input);
        boolean isEnded = false;
        for (int i = 0; i < STOP_ATTEMPTS && !isEnded; i++) {
            isEnded = carries(input, sent);
        }
        assertThat(isEnded).as("whether those that are stopped end in time").isTrue();
    }

    /** False if a consumer did not end in time. */
    private boolean carries(Path input, LineDigest sent) throws Exception {
        topic = "main-job-" + UUID.randomUUID();
        subscribe("alone", "together");
        try (Millrace alone = consume("alone", "exclusive", "--count", Long.toString(sent.count()));
                Millrace left = consume("together", "shared");
                Millrace right = consume("together", "shared")) {
            Millrace produce = Millrace.run(folder, "produce", topic, "--url", url(), "--file", input.toString());
            assertThat(produce.exitCode()).as(produce.err()).isZero();
            assertThat(alone.exitCode()).as(alone.err()).isZero();
            LineDigest ordered = LineDigest.of(alone.outFile());
            assertThat(ordered).isEqualTo(sent);

            long bytes = Files.size(alone.outFile());
            Await.until(
                    LIMIT,
                    () -> Files.size(left.outFile()) + Files.size(right.outFile()) >= bytes,
                    () -> left.err() + right.err());
            if (!endsCleanly(left) || !endsCleanly(right)) {
                return false;
            }
            LineDigest shared = LineDigest.of(left.outFile(), right.outFile());
            assertThat(shared.count()).isEqualTo(sent.count());
            assertThat(shared.anyOrder()).isEqualTo(sent.anyOrder());
            return true;
        }
    }

    /** Before anything is sent: what all other subscriptions have acknowledged is deleted. */
    private void subscribe(String... subscriptions) throws Exception {
        try (PulsarClient client = Clients.open(url())) {
            for (String subscription : subscriptions) {
                client.newConsumer()
                        .topic(topic)
                        .subscriptionName(subscription)
                        .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                        .subscribe()
                        .close();
            }
        }
    }

    private static boolean endsCleanly(Millrace consume) {
        consume.terminate();
        Ended ended = Ended.of(consume);
        assertThat(ended).matches(end -> end.isInTime() || end.isCutOff(), "is ended by SIGTERM");
        return ended.isInTime();
    }

    private Millrace consume(String subscription, String type, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("consume", topic, "--url", url(), "--from", "earliest"));
        arguments.addAll(List.of("--subscription", subscription, "--type", type));
        arguments.addAll(List.of(more));
        return Millrace.start(folder, arguments.toArray(String[]::new));
    }

    private String url() {
        return otherUrl == null ? broker.url() : otherUrl;
    }
}
