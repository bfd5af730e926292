package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.Redeliver;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries that damage has taken do not keep what lies behind them. */
class LostEntriesTest extends DispatchFixture {
    private static final int LEDGER_ENTRIES = 500;
    private static final int ENTRIES = 4 * LEDGER_ENTRIES;

    private final List<Position> published = new ArrayList<>();

    @BeforeEach
    void publish() throws IOException {
        LogConfig config = LogConfig.defaults(folder)
                .withLedgers(1 << 20, LEDGER_ENTRIES)
                .withMemory(4 * 1024, 1 << 20);
        subscription = new OneSubscription(config, SubscriptionSettings.durable("s", SubscriptionType.SHARED));
    }

    /** In the middle of a ledger, and at its end. */
    @ParameterizedTest
    @ValueSource(ints = {50, LEDGER_ENTRIES - 1})
    @Behaviour("LOG-14")
    void theMarkPassesAnEntryThatIsDamagedBeforeItIsSent(int lost) throws IOException {
        published.addAll(subscription.publish(ENTRIES));
        damage(lost);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 2 * ENTRIES);
        subscription.awaitDelivered(a, ENTRIES - 1);
        List<Position> readable = new ArrayList<>(published);
        readable.remove(lost);
        assertThat(a.positions()).isEqualTo(readable);
        subscription.ack(a, readable.toArray(new Position[0]));
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(ENTRIES - 1));
        assertThat(subscription.stats().backlogEntries()).isZero();
        subscription.checkInvariants();
        subscription.restart();
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(ENTRIES - 1));
    }

    @Test
    @Behaviour("LOG-14")
    void theMarkPassesAnEntryThatIsDamagedBeforeItIsSentAgain() throws IOException {
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 2 * ENTRIES);
        published.addAll(subscription.publish(ENTRIES));
        subscription.awaitDelivered(a, ENTRIES);
        damage(50);
        Position lost = published.get(50);
        List<Position> others = new ArrayList<>(published);
        others.remove(50);
        subscription.ack(a, others.toArray(new Position[0]));
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(49));
        subscription.dispatcher.tell(new Redeliver(a, List.of(lost)));
        OneSubscription.until(
                "the mark has passed all", () -> subscription.stats().markDelete().equals(published.get(ENTRIES - 1)));
        subscription.checkInvariants();
    }

    /** Flips a bit in the data of that entry, once it has left the memory. */
    private void damage(int index) throws IOException {
        Position position = published.get(index);
        OneSubscription.until("it is in a file alone", () -> {
            Entry entry = subscription.log.cached(position);
            if (entry != null) {
                entry.release();
            }
            return entry == null;
        });
        String data = data(index);
        try (Stream<Path> files = Files.list(folder.resolve("ledgers"))) {
            files.forEach(file -> flip(file, data));
        }
    }

    /** What {@link OneSubscription#append} stores. */
    private static String data(int index) {
        byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(1_001L + index)
                .putLong(1)
                .array();
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static void flip(Path file, String data) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(data);
            if (at >= 0) {
                bytes[at] ^= 1;
                Files.write(file, bytes, StandardOpenOption.WRITE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
