package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.SimulatedDisk.Change;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Which files of the journal stay: above all the one that the snapshot names, by which a start sees that none is missing. */
@Timeout(60)
final class JournalFilesTest {
    private static final int FULL_BYTES = 16 * 1024;
    private static final int OTHER_BYTES = 8 * 1024;

    private final LogConfig config = LogConfig.defaults(Path.of("/data")).withJournal(FULL_BYTES, 2);
    private final SimulatedDisk disk = new SimulatedDisk();
    private final LogFolder folder = new LogFolder(config, disk, 1, new Damages());
    private final JournalFiles files = new JournalFiles(folder);

    @BeforeEach
    void makeFolder() {
        disk.createDirectories(folder.journal());
    }

    /** In a language with digits of its own a start would not know the file again, and take all in it for lost. */
    @Test
    @ResourceLock(Resources.LOCALE)
    void aNameIsReadAgainInEveryLanguage() {
        Locale before = Locale.getDefault();
        try {
            for (String language : List.of("ar-EG", "fa-IR", "hi-IN-u-nu-deva", "en-US")) {
                Locale.setDefault(Locale.forLanguageTag(language));
                for (long number : new long[] {0, 7, 12_345_678, 123_456_789_012L}) {
                    assertThat(JournalFiles.number(Path.of(JournalFiles.name(number))))
                            .as(language)
                            .isEqualTo(number);
                }
            }
        } finally {
            Locale.setDefault(before);
        }
        assertThat(JournalFiles.name(7)).isEqualTo("00000007.journal");
    }

    /** It was in use when the snapshot was begun, and full before that was there. */
    @Test
    void aFileOfAnotherSizeStaysUntilASnapshotNamesAnotherOne() throws Exception {
        JournalFile named = sealed(OTHER_BYTES, 7);
        files.freeUpTo(7, named.number());
        assertThat(disk.exists(named.path)).isTrue();
        assertThat(files.take()).isSameAs(named);
        files.seal(named);
        files.freeUpTo(7, 99);
        assertThat(disk.exists(named.path)).isFalse();
        assertThat(files.hasFree()).isFalse();
    }

    @Test
    void aDamagedFileKeepsItsNameUntilASnapshotNamesAnotherOne() throws Exception {
        JournalFile named = sealed(FULL_BYTES, 7);
        named.damaged = true;
        files.freeUpTo(7, named.number());
        assertThat(disk.exists(named.path)).isTrue();
        assertThat(files.hasFree()).as("it is not written over").isFalse();
        files.freeUpTo(7, 99);
        assertThat(disk.list(folder.journal())).containsExactly(named.path.getFileName() + ".damaged");
    }

    @Test
    void theNewestFileStaysIfTheSnapshotNamesNone() throws Exception {
        JournalFile older = sealed(OTHER_BYTES, 6);
        JournalFile newest = sealed(OTHER_BYTES, 7);
        files.freeUpTo(7, Snapshot.NO_JOURNAL);
        assertThat(disk.exists(older.path)).isFalse();
        assertThat(disk.exists(newest.path)).isTrue();
        assertThat(files.hasFree()).isTrue();
    }

    /** Else a record that is longer than such a file would wait for ever. */
    @Test
    void aFileOfAnotherSizeIsNoneOfThoseThatTheJournalMayHave() throws Exception {
        JournalFile named = sealed(OTHER_BYTES, 7);
        files.addActive(files.make(FULL_BYTES));
        files.freeUpTo(7, named.number());
        assertThat(files.prepare()).isTrue();
        assertThat(files.take()).isSameAs(named);
        JournalFile prepared = files.take();
        assertThat(prepared).isNotNull().extracting(file -> file.capacity).isEqualTo((long) FULL_BYTES);
        assertThat(files.prepare()).as("it has as many as it may").isFalse();
    }

    @Test
    void aSealedFileIsFreedByASnapshotThatHoldsItsLastGroup() throws Exception {
        JournalFile file = sealed(FULL_BYTES, 7);
        assertThat(files.hasSealedUpTo(6)).isFalse();
        files.freeUpTo(6, 99);
        assertThat(files.hasFree()).isFalse();
        assertThat(files.hasSealedUpTo(7)).isTrue();
        files.freeUpTo(7, 99);
        assertThat(files.take()).isSameAs(file);
        assertThat(files.hasSealedUpTo(7)).isFalse();
    }

    private JournalFile sealed(int bytes, long lastEpoch) throws IOException {
        JournalFile file = files.make(bytes);
        file.lastEpoch = lastEpoch;
        files.addSealed(file);
        return file;
    }

    /** The snapshot names a file whose first group the power loss took, and the next start uses files of another size. */
    @Test
    @Behaviour("LOG-6")
    void aFileThatIsNotWrittenYetIsNotMissedThoughTheNextStartUsesOthers() throws Exception {
        List<Change> left = withSnapshotThatNamesAnUnwrittenFile();
        LogConfig after = config.withJournal(2 * FULL_BYTES, 2);
        for (int seed = 0; seed < 20; seed++) {
            SimulatedDisk second = SimulatedDisk.afterPowerLoss(left, left.size(), seed, null);
            int opened = second.changeCount();
            try (BrokerLog log = BrokerLog.open(after, second)) {
                await(log.openTopic("b"));
            }
            List<Change> trace = second.trace();
            for (int i = opened; i <= trace.size(); i++) {
                try (BrokerLog log = BrokerLog.open(after, SimulatedDisk.upTo(trace, i))) {
                    assertThat(log.damages())
                            .as("seed %d, after %d changes", seed, i)
                            .allMatch(Damage::isTornTail);
                }
            }
        }
    }

    private List<Change> withSnapshotThatNamesAnUnwrittenFile() throws Exception {
        List<Change> trace;
        try (BrokerLog log = BrokerLog.open(config, disk)) {
            TopicLog topic = await(log.openTopic("a"));
            await(topic.openCursor("s", Position.BEFORE_ALL));
            for (int i = 0; i < 3; i++) {
                await(topic.setCursorProperties("s", Map.of("p", "x".repeat(FULL_BYTES / 4))));
            }
            int snapshots = snapshots();
            disk.hold(ForcePoint.JOURNAL_GROUP);
            CompletionStage<Boolean> second = topic.setCursorProperties("s", Map.of("p", "y".repeat(FULL_BYTES / 2)));
            while (snapshots() == snapshots) {
                Thread.onSpinWait();
            }
            trace = disk.trace();
            disk.release(ForcePoint.JOURNAL_GROUP);
            await(second);
        }
        return trace;
    }

    private int snapshots() {
        return disk.forceCount(ForcePoint.SNAPSHOT_DIRECTORY);
    }
}
