package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.testkit.Behaviour;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whatever size a record has and whatever lies before and behind it: what was taken is recovered, the rest refused. */
final class RecordSizesTest {
    private static final int MIB = 1 << 20;

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());

    @Test
    @Behaviour("LOG-13")
    void anEntryLargerThanTheWindowOfTheReplayIsRecovered() throws Exception {
        LogConfig config = LogConfig.defaults(Path.of("/data")).withJournal(16 * MIB, 2);
        SimulatedDisk disk = new SimulatedDisk();
        leaveTheFirstFile(config, disk);
        recovers(config, disk, List.of(10, 4_194_400 - Frame.ENTRY_HEAD_BYTES, 10, 5 * MIB, 4 * MIB, 10));
    }

    @Test
    @Behaviour("LOG-13")
    void entriesAroundEveryBoundAreRecoveredBesideEachOther() throws Exception {
        LogConfig config = LogConfig.defaults(Path.of("/data"))
                .withJournal(16 * 1024, 3)
                .withLedgers(8 * 1024, 100)
                .withMemory(4 * 1024, MIB);
        Random random = new Random(seed);
        List<Integer> edges = edges(config);
        for (int round = 0; round < (Boolean.getBoolean("millrace.deep") ? 2_000 : 60); round++) {
            List<Integer> sizes = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                sizes.add(edges.get(random.nextInt(edges.size())));
            }
            recovers(config, new SimulatedDisk(), sizes);
        }
    }

    @Test
    @Behaviour("LOG-13")
    void whatFitsAJournalFileIsTakenAndWhatDoesNotIsRefused() throws Exception {
        LogConfig config = LogConfig.defaults(Path.of("/data")).withJournal(16 * 1024, 3);
        int largest = config.maxFrameBytes() - Frame.ENTRY_HEAD_BYTES;
        recovers(config, new SimulatedDisk(), List.of(largest, largest, 0, largest));
        SimulatedDisk disk = new SimulatedDisk();
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("t"));
            ByteBuf tooLarge = Unpooled.buffer(largest + 1).writeZero(largest + 1);
            assertThatThrownBy(() -> topic.append(header(1), tooLarge)).hasMessageContaining("does not fit");
            assertThat(tooLarge.refCnt()).isZero();
            CursorLog cursor = await(topic.openCursor("s", Position.BEFORE_ALL));
            assertThatThrownBy(() -> cursor.append(ackOf(config.maxFrameBytes() - Frame.HEAD_BYTES + 8)))
                    .hasMessageContaining("does not fit");
            CompletableFuture<Long> durable = LogFixture.deltaNumber(cursor, 1);
            cursor.append(ackOf(config.maxFrameBytes() - Frame.HEAD_BYTES - 8));
            await(durable);
        }
    }

    @Test
    @Behaviour("LOG-13")
    void aNameThatDoesNotFitTheJournalIsRefusedAndTheLogGoesOn() throws Exception {
        LogConfig config = LogConfig.defaults(Path.of("/data")).withJournal(4 * 1024, 3);
        SimulatedDisk disk = new SimulatedDisk();
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            String tooLong = "n".repeat(config.maxFrameBytes() - Frame.HEAD_BYTES + 1);
            assertThatThrownBy(
                            () -> log.openTopic(tooLong).toCompletableFuture().get(5, TimeUnit.SECONDS))
                    .hasMessageContaining("does not fit");
            String longest = tooLong.substring(1);
            TopicLog topic = await(log.openTopic(longest));
            assertThatThrownBy(() -> topic.openCursor(longest, Position.BEFORE_ALL))
                    .hasMessageContaining("does not fit");
            assertThat(topic.cursorNames()).isEmpty();
            await(topic.openCursor(longest.substring(16), Position.BEFORE_ALL));
        }
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            assertThat(log.topicNames()).hasSize(1);
        }
    }

    @Test
    @Behaviour("LOG-13")
    void largeRecordsOfEveryKindAreRecoveredInOneGroup() throws Exception {
        LogConfig config = LogConfig.defaults(Path.of("/data")).withJournal(4 * MIB, 2);
        SimulatedDisk disk = new SimulatedDisk();
        List<String> names = new ArrayList<>();
        disk.hold(ForcePoint.JOURNAL_GROUP);
        BrokerLog log = BrokerLog.open(config, disk);
        List<CompletableFuture<TopicLog>> topics = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            names.add(i + "x".repeat(i * 400));
            topics.add(log.openTopic(names.get(i)).toCompletableFuture());
        }
        disk.release(ForcePoint.JOURNAL_GROUP);
        for (int i = 0; i < 40; i++) {
            await(await(topics.get(i)).openCursor("s" + names.get(i), Position.BEFORE_ALL));
        }
        SimulatedDisk killed = killed(disk);
        log.close();
        try (BrokerLog again = BrokerLog.open(config, killed)) {
            assertThat(again.topicNames()).containsExactlyInAnyOrderElementsOf(names);
            for (String name : names) {
                assertThat(await(again.openTopic(name)).cursorNames()).containsExactly("s" + name);
            }
            assertThat(again.damages()).isEmpty();
        }
    }

    /** Sizes of entries whose frame, alone or with the commit behind it, ends at a bound of the log or a byte beside it. */
    private static List<Integer> edges(LogConfig config) {
        int file = (int) config.journal().fileBytes();
        List<Integer> sizes = new ArrayList<>(List.of(0, 1));
        for (int bound : List.of(
                512, file / 8, file / 4, 4 * 1024, (int) config.ledgers().bytes(), file)) {
            for (int off = -1; off <= 1; off++) {
                for (int others : List.of(0, Frame.HEAD_BYTES, Frame.ENTRY_HEAD_BYTES, 2 * Frame.HEAD_BYTES)) {
                    sizes.add(bound + off - Frame.ENTRY_HEAD_BYTES - others);
                }
            }
        }
        int largest = config.maxFrameBytes() - Frame.ENTRY_HEAD_BYTES;
        sizes.removeIf(size -> size < 0 || size > largest);
        return sizes;
    }

    /** The first file is small and soon freed: what follows stays in the journal, and so has to be replayed. */
    private static void leaveTheFirstFile(LogConfig config, SimulatedDisk disk) throws Exception {
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("first"));
            Receipts receipts = new Receipts();
            topic.listener(receipts);
            for (int i = 0; i < 2; i++) {
                receipts.await(topic.append(header(i), filled(MIB * 3 / 4, i)));
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (disk.forceCount(ForcePoint.SNAPSHOT_DIRECTORY) < 2 && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
        }
    }

    private void recovers(LogConfig config, SimulatedDisk disk, List<Integer> sizes) throws Exception {
        Random random = new Random(seed);
        BrokerLog log = BrokerLog.open(config, disk);
        TopicLog topic = await(log.openTopic("t"));
        CursorLog cursor = await(topic.openCursor("s", Position.BEFORE_ALL));
        Receipts receipts = new Receipts();
        topic.listener(receipts);
        Position last = Position.BEFORE_ALL;
        for (int i = 0; i < sizes.size(); i++) {
            last = topic.append(header(i), filled(sizes.get(i), i));
            if (random.nextInt(3) == 0) {
                receipts.await(last);
            }
            if (random.nextInt(3) == 0) {
                cursor.append(ackOf(sizes.get(random.nextInt(sizes.size())) / 2));
            }
        }
        receipts.await(last);
        SimulatedDisk killed = killed(disk);
        log.close();
        String context = "seed " + seed + ", sizes " + sizes;
        for (SimulatedDisk left : List.of(killed, disk)) {
            try (BrokerLog again = BrokerLog.open(config, left)) {
                assertThat(again.damages()).as(context).isEmpty();
                holds(await(again.openTopic("t")), sizes, context);
            }
        }
    }

    private static SimulatedDisk killed(SimulatedDisk disk) {
        List<SimulatedDisk.Change> trace = disk.trace();
        return SimulatedDisk.upTo(trace, trace.size());
    }

    private static void holds(TopicLog topic, List<Integer> sizes, String context) {
        Position at = Position.BEFORE_ALL;
        for (int i = 0; i < sizes.size(); i++) {
            List<Entry> entries = await(topic.read(at, 1, 1));
            assertThat(entries).as("%s, entry %d", context, i).hasSize(1);
            Entry entry = entries.get(0);
            assertThat(entry.data()).as("%s, entry %d", context, i).isEqualTo(filled(sizes.get(i), i));
            at = topic.next(entry.position());
            entry.release();
        }
        assertThat(await(topic.read(at, 1, 1))).as(context).isEmpty();
    }

    private static ByteBuf filled(int bytes, int number) {
        byte[] filling = new byte[bytes];
        Arrays.fill(filling, (byte) ('a' + number % 26));
        return Unpooled.wrappedBuffer(filling);
    }

    /** A delta of about so many bytes about entries that do not exist. */
    private static CursorDelta ackOf(int bodyBytes) {
        return new CursorDelta.AckBatch(new Position(9_999, 0), new long[Math.max(1, (bodyBytes - 17) / 8)]);
    }
}
