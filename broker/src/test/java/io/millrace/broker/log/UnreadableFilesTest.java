package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What cannot be read is named and leaves the rest in service; it is neither overwritten nor passed over in silence. */
final class UnreadableFilesTest {
    private static final Path FOLDER = Path.of("/data");
    private static final Path SNAPSHOT = FOLDER.resolve("snapshot");
    private static final Path LEDGERS = FOLDER.resolve("ledgers");
    private static final Path JOURNAL = FOLDER.resolve("journal");
    private static final int ENTRIES = 200;

    private final SimulatedDisk disk = new SimulatedDisk();
    private final LogConfig config = LogConfig.defaults(FOLDER)
            .withJournal(32 * 1024, 3)
            .withLedgers(32 * 1024, 1_000)
            .withMemory(4 * 1024, 1 << 20);

    @Test
    @Behaviour("LOG-14")
    void aLedgerThatWasCutShortIsToldOnceAndSkipped() throws Exception {
        fill();
        Path file = ledgerOf("a");
        int kept = disk.bytes(file).length / 3;
        disk.truncate(file, kept);
        byte[] left = disk.bytes(file);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.damages()).singleElement().satisfies(damage -> {
                assertThat(damage.file()).isEqualTo(file);
                assertThat(damage.offset()).isEqualTo(kept);
                assertThat(damage.what()).contains("ends here").contains("bytes are expected");
            });
            TopicLog topic = await(log.openTopic("a"));
            List<String> texts = LogFixture.texts(topic);
            assertThat(texts).hasSizeBetween(ENTRIES / 10, ENTRIES - ENTRIES / 10);
            assertThat(names("a")).startsWith(texts.get(0), texts.get(1)).endsWith(texts.get(texts.size() - 1));
            assertThat(names("a")).containsSubsequence(texts);
            assertThat(LogFixture.texts(topic)).isEqualTo(texts);
            assertThat(LogFixture.texts(await(log.openTopic("b")))).isEqualTo(names("b"));
            assertThat(log.damages()).as("told once").hasSize(1);
        }
        assertThat(Arrays.copyOf(disk.bytes(file), kept)).isEqualTo(left);
    }

    @Test
    @Behaviour("LOG-14")
    void aLedgerOfNoBytesIsToldToBeCutShortAndNotToBeMissing() throws Exception {
        fill();
        disk.truncate(ledgerOf("a"), 0);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.damages())
                    .extracting(Damage::what)
                    .singleElement()
                    .satisfies(what -> assertThat(what).contains("the file ends here"));
        }
    }

    @Test
    @Behaviour("LOG-14")
    void aLedgerThatIsCutShortWhileItIsReadIsToldOnceAndSkipped() throws Exception {
        fill();
        Path file = ledgerOf("a");
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            disk.truncate(file, disk.bytes(file).length / 2);
            TopicLog topic = await(log.openTopic("a"));
            assertThat(LogFixture.texts(topic)).endsWith(name("a", ENTRIES - 1));
            assertThat(LogFixture.texts(topic)).hasSizeLessThan(ENTRIES);
            assertThat(log.damages())
                    .singleElement()
                    .satisfies(damage -> assertThat(damage.file()).isEqualTo(file));
        }
    }

    @Test
    @Behaviour("LOG-14")
    void aLedgerThatIsMissingIsToldAndTheOtherTopicsAreServed() throws Exception {
        fill();
        Path file = ledgerOf("a");
        disk.delete(file);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.damages()).singleElement().satisfies(damage -> {
                assertThat(damage.file()).isEqualTo(file);
                assertThat(damage.what()).contains("missing");
            });
            assertThat(LogFixture.texts(await(log.openTopic("b")))).isEqualTo(names("b"));
            TopicLog topic = await(log.openTopic("a"));
            assertThat(LogFixture.texts(topic)).hasSizeLessThan(ENTRIES);
            assertThat(topic.isUnreadable(topic.next(Position.BEFORE_ALL).ledgerId()))
                    .as("it may be put back")
                    .isTrue();
        }
    }

    @Test
    @Behaviour("LOG-14")
    void aJournalFileThatLaterOnesNeedIsToldWhenItIsMissing() throws Exception {
        SimulatedDisk whole = unsnapshotted();
        List<String> files = whole.list(JOURNAL);
        assertThat(files).hasSizeGreaterThan(1);
        whole.delete(JOURNAL.resolve(files.get(0)));
        try (BrokerLog log = BrokerLog.open(config, whole)) {
            assertThat(log.damages()).hasSize(2);
            assertThat(log.damages().get(0).file()).isEqualTo(JOURNAL.resolve(files.get(0)));
            assertThat(log.damages().get(1).what())
                    .contains("group")
                    .contains("is expected")
                    .contains("missing");
        }
        assertThat(whole.list(JOURNAL)).as("the later one is kept").anyMatch(name -> name.startsWith(files.get(1)));
    }

    @Test
    @Behaviour("LOG-14")
    void theJournalFileInUseAtTheSnapshotIsToldWhenItIsMissing() throws Exception {
        fill();
        long inUse =
                Snapshot.head(SNAPSHOT, new SnapshotWindow(disk.open(SNAPSHOT))).journal();
        Path file = JOURNAL.resolve(JournalFiles.name(inUse));
        disk.delete(file);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.damages()).first().satisfies(damage -> {
                assertThat(damage.file()).isEqualTo(file);
                assertThat(damage.what()).contains("missing");
            });
        }
    }

    @Test
    @Behaviour("LOG-14")
    void aTopicThatTheSnapshotHoldsDamagedIsRefusedAndKeptAndTheOthersAreServed() throws Exception {
        fill();
        byte[] section = flipIn(SNAPSHOT, "\u0001a", 30);
        List<String> ledgers = disk.list(LEDGERS);
        for (int life = 0; life < 3; life++) {
            try (BrokerLog log = BrokerLog.open(config, disk)) {
                assertThat(log.damages()).singleElement().satisfies(damage -> {
                    assertThat(damage.file()).isEqualTo(SNAPSHOT);
                    assertThat(damage.what()).contains("topic a").contains("checksum");
                });
                assertThatThrownBy(() -> await(log.openTopic("a")))
                        .hasStackTraceContaining(SNAPSHOT.toString())
                        .hasStackTraceContaining("millrace check");
                assertThat(LogFixture.texts(await(log.openTopic("b"))))
                        .startsWith(names("b").toArray(String[]::new));
                publish(await(log.openTopic("b")), ENTRIES);
                publish(await(log.openTopic("new")), 1);
            }
            assertThat(disk.list(LEDGERS)).containsAll(ledgers);
            assertThat(new String(disk.bytes(SNAPSHOT), StandardCharsets.ISO_8859_1))
                    .contains(new String(section, StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    @Behaviour("LOG-14")
    void whileATopicsNameCannotBeReadNoneIsMadeInItsPlace() throws Exception {
        fill();
        flipIn(SNAPSHOT, "\u0001a", 1);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.damages()).hasSize(1);
            assertThatThrownBy(() -> await(log.openTopic("a"))).hasStackTraceContaining("name cannot be read");
            assertThat(LogFixture.texts(await(log.openTopic("b")))).isEqualTo(names("b"));
        }
    }

    /** The topics that are gone might have any name. */
    @Test
    @Behaviour("LOG-14")
    void aSnapshotThatEndsBehindASectionIsToldAndNoTopicIsMade() throws Exception {
        fill();
        String snapshot = new String(disk.bytes(SNAPSHOT), StandardCharsets.ISO_8859_1);
        List<Integer> ends = List.of(SnapshotHead.BYTES, snapshot.indexOf("MRT", SnapshotHead.BYTES + 1));
        for (int sections = 1; sections >= 0; sections--) {
            int end = ends.get(sections);
            disk.truncate(SNAPSHOT, end);
            try (BrokerLog log = BrokerLog.open(config, disk)) {
                assertThat(log.damages()).first().satisfies(damage -> {
                    assertThat(damage.file()).isEqualTo(SNAPSHOT);
                    assertThat(damage.offset()).isEqualTo(end);
                });
                assertThat(log.damages().get(0).what()).contains(sections + " sections, but 2 are expected");
                assertThatThrownBy(() -> await(log.openTopic("new"))).hasStackTraceContaining("name cannot be read");
            }
        }
    }

    @Test
    @Behaviour("LOG-14")
    void theHeadOfTheSnapshotIsThereTwiceAndRefusedByNameWhenBothAreDamaged() throws Exception {
        fill();
        int copied = disk.bytes(SNAPSHOT).length - SnapshotHead.BYTES + 20;
        disk.flip(SNAPSHOT, 20);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.damages()).singleElement().satisfies(damage -> {
                assertThat(damage.file()).isEqualTo(SNAPSHOT);
                assertThat(damage.offset()).isZero();
                assertThat(damage.what()).contains("the head is expected here");
            });
            assertThat(LogFixture.texts(await(log.openTopic("b")))).isEqualTo(names("b"));
        }
        disk.flip(SNAPSHOT, 20);
        disk.flip(SNAPSHOT, copied);
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.damages()).singleElement().satisfies(damage -> {
                assertThat(damage.file()).isEqualTo(SNAPSHOT);
                assertThat(damage.offset()).isEqualTo(copied - 20);
                assertThat(damage.what()).contains("copy of the head");
            });
            publish(await(log.openTopic("new")), 1);
            assertThat(LogFixture.texts(await(log.openTopic("b")))).isEqualTo(names("b"));
        }
        disk.flip(SNAPSHOT, 20);
        int changes = disk.changeCount();
        assertThatThrownBy(() -> BrokerLog.open(config, disk))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(SNAPSHOT + " is damaged at byte 0")
                .hasMessageContaining("expected");
        assertThat(disk.changeCount() - changes)
                .as("forced its folder's name at most")
                .isLessThan(2);
    }

    @Test
    @Behaviour("LOG-14")
    void aLaterFormatIsRefusedByName() throws Exception {
        fill();
        byte[] snapshot = disk.bytes(SNAPSHOT);
        byte[] later = snapshot.clone();
        later[3] = 7;
        later[later.length - SnapshotHead.BYTES + 3] = 7;
        overwrite(SNAPSHOT, later);
        assertThatThrownBy(() -> BrokerLog.open(config, disk))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(SNAPSHOT + " has format 7")
                .hasMessageContaining("start the version that wrote it");
        overwrite(SNAPSHOT, snapshot);
        Path journal = JOURNAL.resolve(disk.list(JOURNAL).get(0));
        byte[] frames = disk.bytes(journal);
        frames[2] = 9;
        overwrite(journal, frames);
        assertThatThrownBy(() -> BrokerLog.open(config, disk))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(journal + " has format 9");
    }

    @Test
    @Behaviour("LOG-14")
    void whateverIsDamagedTheFolderOpensOrIsRefusedByName() throws Exception {
        fill();
        List<SimulatedDisk.Change> trace = disk.trace();
        long seed = Long.getLong("millrace.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < (Boolean.getBoolean("millrace.deep") ? 20_000 : 300); round++) {
            SimulatedDisk left = SimulatedDisk.upTo(trace, trace.size());
            List<String> damaged = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged.add(damage(left, random));
            }
            String context = "seed " + seed + ", round " + round + ": " + damaged;
            try (BrokerLog log = BrokerLog.open(config, left)) {
                for (String name : log.topicNames()) {
                    readIfReadable(log, name, context);
                }
            } catch (IOException e) {
                assertThat(e.getMessage()).as(context).contains(FOLDER.toString());
            } catch (RuntimeException e) {
                throw new AssertionError(context, e);
            }
        }
    }

    private static void readIfReadable(BrokerLog log, String name, String context) {
        log.openTopic(name)
                .handle((topic, refusal) -> {
                    if (topic != null) {
                        List<String> texts = LogFixture.texts(topic);
                        List<String> expected = new ArrayList<>(names(name));
                        expected.retainAll(texts);
                        assertThat(texts).as(context).isEqualTo(expected);
                    } else {
                        assertThat(refusal).as(context).hasStackTraceContaining("LogUnreadableException");
                    }
                    return true;
                })
                .toCompletableFuture()
                .join();
    }

    static String damage(SimulatedDisk disk, Random random) throws IOException {
        List<Path> files = new ArrayList<>(List.of(SNAPSHOT));
        for (Path folder : List.of(JOURNAL, LEDGERS)) {
            disk.list(folder).forEach(name -> files.add(folder.resolve(name)));
        }
        files.removeIf(file -> !disk.exists(file));
        if (files.isEmpty()) {
            return "nothing left";
        }
        Path file = files.get(random.nextInt(files.size()));
        int length = disk.bytes(file).length;
        int at = length == 0 ? 0 : random.nextInt(length);
        int kind = length == 0 ? 2 : random.nextInt(4);
        switch (kind) {
            case 0 -> disk.truncate(file, at);
            case 1 -> disk.truncate(file, length + random.nextInt(1_000));
            case 2 -> disk.delete(file);
            default -> disk.flip(file, at);
        }
        return List.of("cut ", "longer ", "deleted ", "flipped ").get(kind) + file + " at " + at;
    }

    /** Two topics whose entries lie in ledgers of their own, all but the last of them. */
    private void fill() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            publish(await(log.openTopic("a")), ENTRIES);
            publish(await(log.openTopic("b")), ENTRIES);
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            await(await(log.openTopic("b")).openCursor("s", Position.BEFORE_ALL));
        }
    }

    /** A disk on which two journal files hold groups that no snapshot has. */
    private SimulatedDisk unsnapshotted() throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            disk.hold(ForcePoint.LEDGER_FILE);
            publish(await(log.openTopic("a")), ENTRIES - 60);
            List<SimulatedDisk.Change> trace = disk.trace();
            disk.release(ForcePoint.LEDGER_FILE);
            return SimulatedDisk.upTo(trace, trace.size());
        }
    }

    private static void publish(TopicLog topic, int count) {
        Receipts receipts = new Receipts();
        topic.listener(receipts);
        Position last = Position.BEFORE_ALL;
        for (int i = 0; i < count; i++) {
            last = topic.append(header(i), text(name(topic.name(), i)));
        }
        receipts.await(last);
    }

    private static List<String> names(String topic) {
        return IntStream.range(0, ENTRIES).mapToObj(i -> name(topic, i)).toList();
    }

    private static String name(String topic, int number) {
        return topic + " " + number + " " + topic.repeat(200) + ";";
    }

    private Path ledgerOf(String topic) {
        String start = topic.equals("a") ? "1-" : "2-";
        return disk.list(LEDGERS).stream()
                .filter(name -> name.startsWith(start))
                .map(LEDGERS::resolve)
                .findFirst()
                .orElseThrow();
    }

    /** Flips the byte so far behind that text and returns those around it as they are now. */
    private byte[] flipIn(Path file, String text, int behind) throws IOException {
        int at = new String(disk.bytes(file), StandardCharsets.ISO_8859_1).indexOf(text) + behind;
        disk.flip(file, at);
        return Arrays.copyOfRange(disk.bytes(file), at - 8, at + 8);
    }

    private void overwrite(Path file, byte[] bytes) throws IOException {
        disk.open(file).write(0, java.nio.ByteBuffer.wrap(bytes));
    }
}
