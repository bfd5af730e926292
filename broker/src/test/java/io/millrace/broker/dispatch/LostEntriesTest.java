package io.millrace.broker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.dispatch.DispatcherCommand.Redeliver;
import io.millrace.broker.log.Entry;
import io.millrace.broker.log.EntryHeader;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.Position;
import io.millrace.broker.log.SimulatedDisk;
import io.millrace.broker.log.TopicLog;
import io.millrace.testkit.Behaviour;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries that damage has taken hold nothing up. */
class LostEntriesTest extends DispatchFixture {
    private static final int LEDGER_ENTRIES = 500;
    private static final int ENTRIES = 4 * LEDGER_ENTRIES;

    private static final Path LEDGERS = Path.of("/data/ledgers");

    private final SimulatedDisk disk = new SimulatedDisk();
    private final List<Position> published = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        LogConfig config = LogConfig.defaults(Path.of("/data"))
                .withLedgers(1 << 20, LEDGER_ENTRIES)
                .withMemory(4 * 1024, 1 << 20);
        subscription =
                new OneSubscription(config, SubscriptionSettings.durable("s", SubscriptionType.SHARED), 1_024, disk);
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
    void theMarkPassesTheLastEntryWhenItIsDamaged() throws IOException {
        published.addAll(subscription.publish(ENTRIES));
        emptyMemory();
        damage(ENTRIES - 1);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 2 * ENTRIES);
        subscription.awaitDelivered(a, ENTRIES - 1);
        subscription.ack(a, a.positions().toArray(new Position[0]));
        OneSubscription.until(
                "the mark has passed all",
                () -> subscription.stats().markDelete().equals(published.get(ENTRIES - 1)));
        subscription.checkInvariants();
        Position next = subscription.publish(1).get(0);
        subscription.awaitDelivered(a, ENTRIES);
        assertThat(a.positions()).endsWith(next);
    }

    @Test
    @Behaviour("LOG-14")
    void whatTheDiskFailsToReadInTheLastLedgerIsPassed() throws IOException {
        published.addAll(subscription.publish(ENTRIES));
        Path file = fileOf(ENTRIES - 400);
        long at = indexIn(file, ENTRIES - 400);
        disk.failReads(file, at, at + 1);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 2 * ENTRIES);
        Position last = published.get(ENTRIES - 1);
        OneSubscription.until("the last is there", () -> a.positions().contains(last));
        assertThat(a.positions()).doesNotContain(published.get(ENTRIES - 400));
    }

    @Test
    @Behaviour("LOG-14")
    void theMarkPassesALedgerThatIsDamagedAsAWhole() throws IOException {
        published.addAll(subscription.publish(ENTRIES));
        for (int entry = LEDGER_ENTRIES; entry < 2 * LEDGER_ENTRIES; entry++) {
            damage(entry);
        }
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 2 * ENTRIES);
        subscription.awaitDelivered(a, ENTRIES - LEDGER_ENTRIES);
        subscription.ack(a, a.positions().toArray(new Position[0]));
        assertThat(subscription.stats().markDelete()).isEqualTo(published.get(ENTRIES - 1));
        subscription.checkInvariants();
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
                "the mark has passed all",
                () -> subscription.stats().markDelete().equals(published.get(ENTRIES - 1)));
        subscription.checkInvariants();
    }

    @Test
    @Behaviour("LOG-14")
    void anEntryThatTheDiskFailsToReadIsPassedAndTriedAgainAfterARestart() throws IOException {
        published.addAll(subscription.publish(ENTRIES));
        Path file = fileOf(0);
        long at = indexIn(file, 0);
        disk.failReads(file, at, at + 1);
        RecordingConsumer a = subscription.attach("a");
        subscription.flow(a, 2 * ENTRIES);
        Position last = published.get(ENTRIES - 1);
        OneSubscription.until("the last is there", () -> a.positions().contains(last));
        subscription.ack(a, a.positions().toArray(new Position[0]));
        assertThat(subscription.stats().markDelete()).isLessThan(published.get(0));
        disk.failReads(file, 0, 0);
        int missing = ENTRIES - a.delivered.size();
        subscription.restart();
        RecordingConsumer b = subscription.attach("b");
        subscription.flow(b, ENTRIES);
        subscription.awaitDelivered(b, missing);
        assertThat(b.positions()).startsWith(published.get(0)).doesNotContainAnyElementsOf(a.positions());
    }

    /** Fills it with entries of another topic. */
    private void emptyMemory() {
        TopicLog other = OneSubscription.await(subscription.brokerLog.openTopic("other"));
        for (int i = 0; i < LEDGER_ENTRIES; i++) {
            other.append(new EntryHeader(1, 1, 0, 0, 0), Unpooled.copyLong(0, 0));
        }
    }

    /** Flips a bit in the data of that entry. */
    private void damage(int index) throws IOException {
        Path file = fileOf(index);
        disk.flip(file, indexIn(file, index));
    }

    /** The file that holds that entry, once it has left the memory. */
    private Path fileOf(int index) throws IOException {
        Position position = published.get(index);
        OneSubscription.until("it is in a file alone", () -> {
            Entry entry = subscription.log.cached(position);
            if (entry != null) {
                entry.release();
            }
            return entry == null;
        });
        for (String name : disk.list(LEDGERS)) {
            if (indexIn(LEDGERS.resolve(name), index) >= 0) {
                return LEDGERS.resolve(name);
            }
        }
        throw new AssertionError(position + " is in no file");
    }

    /** Where the data is that {@link OneSubscription#append} stores. */
    private int indexIn(Path file, int index) throws IOException {
        byte[] data = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(1_001L + index)
                .putLong(1)
                .array();
        return new String(disk.bytes(file), StandardCharsets.ISO_8859_1)
                .indexOf(new String(data, StandardCharsets.ISO_8859_1));
    }
}
