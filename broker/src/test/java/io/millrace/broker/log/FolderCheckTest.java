package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A check reads a folder and changes nothing; what it sets aside is exactly what cannot be read. */
final class FolderCheckTest {
    private static final Path FOLDER = Path.of("/data");
    private static final Path LEDGERS = FOLDER.resolve("ledgers");
    private static final int ENTRIES = 200;

    private final LogConfig config = LogConfig.defaults(FOLDER)
            .withJournal(32 * 1024, 3)
            .withLedgers(32 * 1024, 60)
            .withMemory(4 * 1024, 1 << 20);

    @Test
    @Behaviour("LOG-14")
    void aSoundFolderIsListedAndNotChanged() throws Exception {
        SimulatedDisk disk = filled();
        int changes = disk.changeCount();
        FolderState state = FolderCheck.run(FOLDER, disk);
        assertThat(state.isSound()).isTrue();
        assertThat(state.damages()).isEmpty();
        assertThat(state.lost()).isEmpty();
        assertThat(state.topics()).extracting(FolderState.Topic::name).containsExactly("a", "b", "empty");
        for (FolderState.Topic topic : state.topics()) {
            long count = topic.entries().stream().mapToLong(EntryRange::count).sum();
            assertThat(count).isEqualTo(topic.name().equals("empty") ? 0 : ENTRIES);
            assertThat(topic.entries()).extracting(EntryRange::ledgerId).doesNotHaveDuplicates();
        }
        assertThat(state.topics().get(0).subscriptions()).containsOnlyKeys("s");
        assertThat(FolderRepair.run(FOLDER, disk)).isEqualTo(state);
        assertThat(disk.changeCount()).isEqualTo(changes);
    }

    @Test
    @Behaviour("LOG-14")
    void aFolderOnADiskThatIsReadOnlyIsCheckedAndNothingIsSetAside() throws Exception {
        SimulatedDisk disk = filled();
        Path file = ledgerWith(disk, "a 17 ");
        disk.flip(file, indexOf(disk, file, "a 17 "));
        disk.makeReadOnly();
        FolderState state = FolderCheck.run(FOLDER, disk);
        assertThat(state.topics()).extracting(FolderState.Topic::name).containsExactly("a", "b", "empty");
        assertThat(state.damages()).extracting(Damage::file).containsExactly(file);
        assertThatThrownBy(() -> FolderRepair.run(FOLDER, disk)).hasMessageContaining("read-only");
    }

    @Test
    @Behaviour("LOG-14")
    void aFolderWithoutPermissionsToWriteIsChecked(@TempDir Path folder) throws Exception {
        try (BrokerLog log = BrokerLog.open(config.withData(folder), new DiskFiles())) {
            publish(await(log.openTopic("a")));
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                assertThat(file.toFile().setWritable(false)).isTrue();
            }
        }
        try {
            assertThat(FolderCheck.run(folder, new DiskFiles()).isSound()).isTrue();
        } finally {
            for (String name : List.of("", LogFolder.LEDGERS, LogFolder.JOURNAL)) {
                assertThat(folder.resolve(name).toFile().setWritable(true)).isTrue();
            }
        }
    }

    @Test
    @Behaviour({"LOG-11", "LOG-14"})
    void aFileThatIsOpenedForReadingCannotBeWritten(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "as it was");
        try (DiskFile opened = new DiskFiles().openForReading(file)) {
            ByteBuffer other = ByteBuffer.allocate(1);
            assertThatThrownBy(() -> opened.write(0, other)).isInstanceOf(NonWritableChannelException.class);
        }
        assertThat(file).hasContent("as it was");
    }

    @Test
    @Behaviour({"LOG-11", "LOG-14"})
    void aCheckThatReadsOnlyAndABrokerKeepEachOtherOut(@TempDir Path folder) throws Exception {
        LogConfig real = config.withData(folder);
        try (BrokerLog log = BrokerLog.open(real, new DiskFiles())) {
            publish(await(log.openTopic("a")));
            assertThatThrownBy(() -> FolderCheck.run(folder, new DiskFiles()))
                    .hasMessageContaining("in use by another");
        }
        FolderImage checked = FolderImage.read(folder, new ReadOnlyDisk(new DiskFiles()));
        try (checked) {
            assertThatThrownBy(() -> BrokerLog.open(real, new DiskFiles())).hasMessageContaining("in use by another");
        }
        BrokerLog.open(real, new DiskFiles()).close();
    }

    @Test
    @Behaviour("LOG-14")
    void whatIsNoDataFolderIsSaid() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        disk.createDirectories(FOLDER);
        assertThatThrownBy(() -> FolderCheck.run(FOLDER, disk))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(FOLDER + " is no data folder");
        assertThat(disk.list(FOLDER)).isEmpty();
    }

    @Test
    @Behaviour("LOG-14")
    void aFlippedBitInALedgerIsFoundAndSetAsideWithItsEntryAlone() throws Exception {
        SimulatedDisk disk = filled();
        Path file = ledgerWith(disk, "a 17 ");
        int at = indexOf(disk, file, "a 17 ");
        disk.flip(file, at);
        byte[] damaged = disk.bytes(file);
        FolderState found = FolderRepair.run(FOLDER, disk);
        assertThat(found.isSound()).isFalse();
        assertThat(found.damages()).singleElement().satisfies(damage -> {
            assertThat(damage.file()).isEqualTo(file);
            assertThat(at - damage.offset()).isBetween(0L, 100L);
        });
        assertThat(found.lost()).singleElement().satisfies(lost -> {
            assertThat(lost.topic()).isEqualTo("a");
            assertThat(lost.entries())
                    .singleElement()
                    .satisfies(range -> assertThat(range.count()).isEqualTo(1));
        });
        assertThat(disk.bytes(file)).startsWith(damaged);
        Path setAside = FOLDER.resolve("damaged");
        assertThat(disk.list(setAside))
                .singleElement()
                .satisfies(piece -> assertThat(disk.size(setAside.resolve(piece)))
                        .isEqualTo(Frame.entryBytes(names("a").get(17).length())));
        FolderState after = FolderCheck.run(FOLDER, disk);
        assertThat(after.isSound()).isTrue();
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            List<String> left = new ArrayList<>(names("a"));
            left.remove(17);
            TopicLog topic = await(log.openTopic("a"));
            assertThat(LogFixture.texts(topic)).isEqualTo(left);
            assertThat(await(topic.facts()).cursors().get(0).backlogEntries())
                    .as("all but that which is set aside, and one that was acknowledged before")
                    .isEqualTo(ENTRIES - 2);
            assertThat(LogFixture.texts(await(log.openTopic("b")))).isEqualTo(names("b"));
            assertThat(log.damages()).isEmpty();
        }
    }

    @Test
    @Behaviour("LOG-14")
    void noSubscriptionWaitsForWhatIsSetAside() throws Exception {
        SimulatedDisk disk = filled();
        Path file = ledgerWith(disk, "a 17 ");
        disk.delete(file);
        FolderState found = FolderRepair.run(FOLDER, disk);
        EntryRange lost = found.lost().get(0).entries().get(0);
        assertThat(lost.firstEntry()).isZero();
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            CursorLog cursor = await(await(log.openTopic("a")).openCursor("s", Position.BEFORE_ALL));
            assertThat(cursor.recovered().markDelete())
                    .isGreaterThanOrEqualTo(new Position(lost.ledgerId(), lost.lastEntry()));
        }
    }

    @Test
    @Behaviour("LOG-14")
    void aPlaceThatTheDiskCannotReadIsFoundAndSetAside() throws Exception {
        SimulatedDisk disk = filled();
        Path file = ledgerWith(disk, "a 17 ");
        long at = indexOf(disk, file, "a 17 ");
        disk.failReads(file, at, at + 1);
        FolderState found = FolderRepair.run(FOLDER, disk);
        assertThat(found.damages()).extracting(Damage::file).contains(file);
        assertThat(found.lost()).isNotEmpty();
        assertThat(FolderCheck.run(FOLDER, disk).isSound()).isTrue();
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(LogFixture.texts(await(log.openTopic("a"))))
                    .doesNotContain(names("a").get(17))
                    .contains(names("a").get(ENTRIES - 1));
        }
    }

    @Test
    @Behaviour("LOG-14")
    void aTopicThatTheSnapshotHoldsDamagedIsSetAsideAndTheNameIsFreeAgain() throws Exception {
        SimulatedDisk disk = filled();
        Path snapshot = FOLDER.resolve("snapshot");
        disk.flip(snapshot, indexOf(disk, snapshot, "\u0001a") + 30);
        List<String> ledgers = disk.list(LEDGERS);
        FolderState found = FolderRepair.run(FOLDER, disk);
        assertThat(found.lost())
                .singleElement()
                .satisfies(lost -> assertThat(lost.topic()).isEqualTo("a"));
        assertThat(FolderCheck.run(FOLDER, disk).isSound()).isTrue();
        String copies = String.join(" ", disk.list(FOLDER.resolve("damaged")));
        assertThat(copies).contains("snapshot");
        ledgers.stream()
                .filter(name -> name.startsWith("1-"))
                .forEach(name -> assertThat(copies).contains(name));
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(LogFixture.texts(await(log.openTopic("a")))).isEmpty();
            assertThat(LogFixture.texts(await(log.openTopic("b")))).isEqualTo(names("b"));
        }
    }

    @Test
    @Behaviour("LOG-14")
    void aHeadOfTheSnapshotThatIsDamagedIsToldAndWrittenAnew() throws Exception {
        SimulatedDisk disk = filled();
        Path snapshot = FOLDER.resolve("snapshot");
        for (boolean isFirst : new boolean[] {true, false}) {
            int head = isFirst ? 0 : disk.bytes(snapshot).length - SnapshotHead.BYTES;
            disk.flip(snapshot, head + 20);
            FolderState found = FolderRepair.run(FOLDER, disk);
            assertThat(found.isSound()).isFalse();
            assertThat(found.lost()).isEmpty();
            assertThat(found.damages()).singleElement().satisfies(damage -> {
                assertThat(damage.file()).isEqualTo(snapshot);
                assertThat(damage.offset()).isEqualTo(head);
            });
            assertThat(FolderCheck.run(FOLDER, disk).isSound()).isTrue();
        }
    }

    @Test
    @Behaviour("LOG-14")
    void aFolderWithoutItsLedgersIsSoundOnceTheyAreSetAside(@TempDir Path folder) throws Exception {
        Disk real = new DiskFiles();
        try (BrokerLog log = BrokerLog.open(config.withData(folder), real)) {
            publish(await(log.openTopic("a")));
            publish(await(log.openTopic("b")));
        }
        Path ledgers = folder.resolve(LogFolder.LEDGERS);
        for (String name : real.list(ledgers)) {
            real.delete(ledgers.resolve(name));
        }
        real.delete(ledgers);
        assertThat(FolderRepair.run(folder, real).isSound()).isFalse();
        assertThat(FolderCheck.run(folder, real).isSound()).isTrue();
        try (BrokerLog log = BrokerLog.open(config.withData(folder), real)) {
            assertThat(log.topicNames()).containsExactlyInAnyOrder("a", "b");
            publish(await(log.openTopic("a")));
            assertThat(log.damages()).isEmpty();
        }
    }

    /** Whatever was damaged: what the check calls readable is read, what it calls lost is not, and then all is sound. */
    @Test
    @Behaviour("LOG-14")
    void theCheckTellsExactlyWhatABrokerReadsAndSettingAsideEndsAllDamage() throws Exception {
        SimulatedDisk whole = filled();
        List<SimulatedDisk.Change> trace = whole.trace();
        long seed = Long.getLong("millrace.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < (Boolean.getBoolean("millrace.deep") ? 10_000 : 150); round++) {
            SimulatedDisk disk = SimulatedDisk.upTo(trace, trace.size());
            List<String> damaged = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged.add(UnreadableFilesTest.damage(disk, random));
            }
            String context = "seed " + seed + ", round " + round + ": " + damaged;
            try {
                FolderState found = FolderRepair.run(FOLDER, disk);
                FolderState after = FolderCheck.run(FOLDER, disk);
                assertThat(after.isSound()).as("%s, left %s", context, after).isTrue();
                readsWhatIsListed(disk, found, context);
            } catch (IOException e) {
                assertThat(e.getMessage()).as(context).contains(FOLDER.toString());
            } catch (RuntimeException e) {
                throw new AssertionError(context, e);
            }
        }
    }

    private void readsWhatIsListed(SimulatedDisk disk, FolderState found, String context) throws IOException {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.damages()).as(context).allMatch(Damage::isTornTail);
            for (FolderState.Topic topic : found.topics()) {
                long listed =
                        topic.entries().stream().mapToLong(EntryRange::count).sum();
                TopicLog opened = await(log.openTopic(topic.name()));
                List<String> texts = LogFixture.texts(opened);
                assertThat(texts).as("%s, topic %s", context, topic.name()).hasSize((int) listed);
            }
        }
    }

    /** Two topics with many entries in ledgers and some in the journal, and an empty one. */
    private SimulatedDisk filled() throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            publish(await(log.openTopic("a")));
            publish(await(log.openTopic("b")));
            await(log.openTopic("empty"));
            CursorLog cursor = await(await(log.openTopic("a")).openCursor("s", Position.BEFORE_ALL));
            CompletableFuture<Long> durable = LogFixture.deltaNumber(cursor, 1);
            cursor.append(new CursorDelta.AckEntries(List.of(new Position(1, 3))));
            await(durable);
        }
        return disk;
    }

    private static void publish(TopicLog topic) {
        Receipts receipts = new Receipts();
        topic.listener(receipts);
        Position last = Position.BEFORE_ALL;
        for (String name : names(topic.name())) {
            last = topic.append(header(1), text(name));
        }
        receipts.await(last);
    }

    private static List<String> names(String topic) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++) {
            names.add(topic + " " + i + " " + topic.repeat(200));
        }
        return names;
    }

    private static Path ledgerWith(SimulatedDisk disk, String text) throws IOException {
        for (String name : disk.list(LEDGERS)) {
            Path file = LEDGERS.resolve(name);
            if (new String(disk.bytes(file), StandardCharsets.ISO_8859_1).contains(text)) {
                return file;
            }
        }
        throw new AssertionError(text + " is in no ledger");
    }

    private static int indexOf(SimulatedDisk disk, Path file, String text) throws IOException {
        int at = new String(disk.bytes(file), StandardCharsets.ISO_8859_1).indexOf(text);
        assertThat(at).isNotNegative();
        return at;
    }
}
