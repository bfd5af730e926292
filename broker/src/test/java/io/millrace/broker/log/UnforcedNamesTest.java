package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.LogFixture.Receipts;
import io.millrace.broker.log.SimulatedDisk.Change;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A life is killed right before it forces a name or a length, the next one builds on that, then the power fails. */
final class UnforcedNamesTest {
    private static final int POWER_LOSSES = 20;
    private static final int JOURNAL_FILES = 2;

    @Test
    @Behaviour("LOG-6")
    void theNameOfASnapshot() throws Exception {
        LogConfig config = configOf("/data");
        SimulatedDisk disk = new SimulatedDisk();
        List<Change> trace;
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            disk.hold(ForcePoint.SNAPSHOT_DIRECTORY);
            publishUntil(log, () -> journalFilesWritten(disk.trace(), 0) == JOURNAL_FILES);
            awaitSnapshot(disk);
            trace = disk.trace();
            disk.release(ForcePoint.SNAPSHOT_DIRECTORY);
        }
        assertNothingIsLost(config, trace, trace.size());
    }

    @Test
    @Behaviour("LOG-6")
    void theNameOfAJournalFile() throws Exception {
        LogConfig config = configOf("/data");
        List<Change> trace = new ArrayList<>(firstLife(config));
        List<Integer> forces = forces(trace, ForcePoint.JOURNAL_DIRECTORY);
        assertThat(forces).hasSize(JOURNAL_FILES);
        assertNothingIsLost(config, trace, forces.get(0));
        int firstGroup = indexOf(trace, UnforcedNamesTest::isGroup, 0);
        trace.remove((int) forces.get(1));
        assertNothingIsLost(config, trace, Math.max(forces.get(1), firstGroup));
    }

    @Test
    @Behaviour("LOG-6")
    void theNameAndTheLengthOfAJournalFile() throws Exception {
        LogConfig config = configOf("/data");
        List<Change> trace = new ArrayList<>(firstLife(config));
        int firstForce = indexOf(trace, UnforcedNamesTest::isNewJournalFile, 0);
        int force = indexOf(trace, UnforcedNamesTest::isNewJournalFile, firstForce + 1);
        int nameForce = forces(trace, ForcePoint.JOURNAL_DIRECTORY).get(1);
        int firstGroup = indexOf(trace, UnforcedNamesTest::isGroup, 0);
        trace.remove(nameForce);
        trace.remove(force);
        assertNothingIsLost(config, trace, Math.max(force, firstGroup));
    }

    @Test
    @Behaviour("LOG-6")
    void theNamesOfTheDataFolderAndThoseAboveIt() throws Exception {
        LogConfig config = configOf("/a/b/data");
        List<Change> trace = firstLife(config);
        List<Integer> kills = forces(trace, ForcePoint.DATA_FOLDER);
        assertThat(kills).hasSize(3);
        for (int kill : kills) {
            assertNothingIsLost(config, trace, kill);
        }
    }

    private static LogConfig configOf(String folder) {
        return LogConfig.defaults(Path.of(folder))
                .withJournal(8 * 1024, JOURNAL_FILES)
                .withLedgers(2 * 1024, 6)
                .withMemory(4 * 1024, 1 << 20);
    }

    private static List<Change> firstLife(LogConfig config) throws IOException {
        SimulatedDisk disk = new SimulatedDisk();
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            publishUntil(log, () -> journalFilesWritten(disk.trace(), 0) == JOURNAL_FILES);
        }
        return disk.trace();
    }

    /** Waits until the snapshot that a new folder gets at once was replaced. */
    private static void awaitSnapshot(SimulatedDisk disk) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (disk.trace().stream().filter(UnforcedNamesTest::isNewSnapshot).count() < 2) {
            assertThat(System.nanoTime()).as("no snapshot in time").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean isNewSnapshot(Change change) {
        return change instanceof Change.Names names && names.names().containsKey("snapshot");
    }

    /** How many changes come before each force of that kind. */
    private static List<Integer> forces(List<Change> trace, ForcePoint point) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < trace.size(); i++) {
            if (trace.get(i) instanceof Change.ForceNames force && force.point() == point) {
                found.add(i);
            }
        }
        return found;
    }

    /** The second life gets no snapshot of its own done, so it stands on what it took over from the first. */
    private static void assertNothingIsLost(LogConfig config, List<Change> trace, int kill) throws IOException {
        SimulatedDisk killed = SimulatedDisk.upTo(trace, kill);
        if (killed.exists(config.data().resolve("snapshot"))) {
            killed.hold(ForcePoint.LEDGER_FILE);
            killed.hold(ForcePoint.SNAPSHOT_FILE);
        }
        List<String> promised;
        List<Change> then;
        try (BrokerLog log = BrokerLog.open(config, killed)) {
            publishUntil(log, () -> journalFilesWritten(killed.trace(), kill) == JOURNAL_FILES);
            promised = LogFixture.texts(await(log.openTopic("t")));
            then = killed.trace();
            killed.release(ForcePoint.LEDGER_FILE);
            killed.release(ForcePoint.SNAPSHOT_FILE);
        }
        for (int seed = 0; seed < POWER_LOSSES; seed++) {
            SimulatedDisk left = SimulatedDisk.afterPowerLoss(then, then.size(), seed, null);
            try (BrokerLog log = BrokerLog.open(config, left)) {
                String context = "killed before change " + kill + ", power lost with seed " + seed;
                assertThat(log.topicNames()).as(context).contains("t");
                assertThat(LogFixture.texts(await(log.openTopic("t"))))
                        .as(context)
                        .isEqualTo(promised);
            }
        }
    }

    private static void publishUntil(BrokerLog log, BooleanSupplier done) {
        TopicLog topic = await(log.openTopic("t"));
        Receipts receipts = new Receipts();
        topic.listener(receipts);
        for (int i = 0; !done.getAsBoolean(); i++) {
            assertThat(i).as("messages published in vain").isLessThan(1_000);
            receipts.await(topic.append(header(i), text("z".repeat(1_000))));
        }
    }

    private static long journalFilesWritten(List<Change> trace, int from) {
        return trace.subList(from, trace.size()).stream()
                .filter(UnforcedNamesTest::isGroup)
                .map(change -> ((Change.Force) change).node())
                .distinct()
                .count();
    }

    private static int indexOf(List<Change> trace, Predicate<Change> wanted, int from) {
        for (int i = from; i < trace.size(); i++) {
            if (wanted.test(trace.get(i))) {
                return i;
            }
        }
        throw new AssertionError("not in this life");
    }

    private static boolean isNewJournalFile(Change change) {
        return change instanceof Change.Force force && force.point() == ForcePoint.JOURNAL_FILE;
    }

    private static boolean isGroup(Change change) {
        return change instanceof Change.Force force && force.point() == ForcePoint.JOURNAL_GROUP;
    }
}
