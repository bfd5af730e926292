package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.await;
import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A copy of a folder that is written all the while is the folder at one moment, or says what is missing. */
@Timeout(120)
final class FolderBackupTest {
    private static final int ENTRIES = 2_000; // more than the journal holds
    private static final int TOPICS = 3;
    private static final int MIN_BETWEEN = 300;

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());

    @TempDir
    Path folder;

    /** Publishes numbered entries to one topic until told to stop; acknowledges them in order on one subscription. */
    private static final class Publisher extends Thread implements TopicLogListener {
        final AtomicInteger receipted = new AtomicInteger();
        private final TopicLog topic;
        private final CursorLog cursor;
        private final AtomicBoolean stop;
        private final Random random;
        private final List<Position> positions = new ArrayList<>();
        private volatile Throwable failure;

        Publisher(TopicLog topic, AtomicBoolean stop, long seed) {
            this.topic = topic;
            this.stop = stop;
            this.random = new Random(seed);
            this.cursor = await(topic.openCursor("s", Position.BEFORE_ALL));
            topic.listener(this);
        }

        @Override
        public void run() {
            for (int i = 0; !stop.get() && failure == null; i++) {
                while (i - receipted.get() > 200 && failure == null) {
                    Thread.onSpinWait();
                }
                synchronized (this) {
                    positions.add(topic.append(header(i), text(i + " " + "x".repeat(random.nextInt(600)))));
                }
                if (i % 50 == 49) {
                    synchronized (this) {
                        cursor.append(new CursorDelta.AckUpTo(positions.get(i - 40)));
                    }
                }
            }
        }

        @Override
        public void durable(Position upTo) {
            synchronized (this) {
                receipted.set(positions.lastIndexOf(upTo) + 1);
            }
        }

        @Override
        public void refused(Position from, Throwable cause) {
            failure = cause;
        }

        @Override
        public void failed(Throwable cause) {
            failure = cause;
        }
    }

    /** How a copy is made and judged, with what was receipted before it began. */
    private interface Copy {
        void make(Path from, Path to, List<Publisher> publishers) throws Exception;
    }

    @Test
    @Behaviour("LOG-14")
    void aBackupOfARunningBrokerIsWholeAndOpens() throws Exception {
        whilePublishing(6, (from, to, publishers) -> {
            List<Integer> before = receipted(publishers);
            FolderBackup.run(from, to);
            FolderState state = FolderCheck.run(to, new DiskFiles());
            assertThat(state.isSound()).as("seed %d: %s", seed, state).isTrue();
            try (BrokerLog log = BrokerLog.open(config(to), new DiskFiles())) {
                assertThat(log.damages()).isEmpty();
                isPrefix(log, before);
                await(log.openTopic("more"));
            }
        });
    }

    /** Of each folder that is made, and of the one that they are made in: another may have made that a moment ago. */
    @Test
    @Behaviour("LOG-14")
    void theNamesOfTheFoldersThatABackupMakesAreForced() throws Exception {
        Path from = folder.resolve("data");
        try (BrokerLog log = BrokerLog.open(config(from), new DiskFiles())) {
            publish(log, 0, 10);
        }
        AtomicInteger forced = new AtomicInteger();
        Disk disk = new SlowDisk(point -> forced.addAndGet(point == ForcePoint.DATA_FOLDER ? 1 : 0));
        FolderBackup.run(from, folder.resolve("backups").resolve("copy"), disk);
        assertThat(forced).hasValue(3);
        assertThat(FolderCheck.run(folder.resolve("backups").resolve("copy"), new DiskFiles())
                        .isSound())
                .isTrue();
    }

    @Test
    @Behaviour("LOG-14")
    void aBackupHasNothingInCommonThatEitherBrokerWrites() throws Exception {
        LogConfig config = config(folder.resolve("data"));
        Path to = folder.resolve("copy");
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            publish(log, 0, 500);
            FolderBackup.run(folder.resolve("data"), to);
            publish(log, 500, 1_000);
            try (BrokerLog copy = BrokerLog.open(config(to), new DiskFiles())) {
                publish(copy, 500, 2_000);
                publish(log, 1_000, 1_500);
            }
            isPrefix(log, List.of(1_500));
        }
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles());
                BrokerLog copy = BrokerLog.open(config(to), new DiskFiles())) {
            isPrefix(log, List.of(1_500));
            isPrefix(copy, List.of(2_000));
        }
        assertThat(FolderCheck.run(to, new DiskFiles()).isSound()).isTrue();
    }

    @Test
    @Behaviour("LOG-14")
    void aBrokerThatStartsAgainWritesNothingThatABackupHasInCommon() throws Exception {
        LogConfig config = config(folder.resolve("data"));
        Path to = folder.resolve("copy");
        List<String> early;
        List<String> late;
        try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
            early = publishUntil(log, "early", folder.resolve("data/ledgers/2.shared"));
            late = publishUntil(log, "late", folder.resolve("data/ledgers/4.shared"));
            FolderBackup.run(folder.resolve("data"), to);
            late.forEach(name -> await(log.deleteTopic(name)));
            // The end of what is known of the files that both have moves back.
            early.subList(early.size() / 2, early.size()).forEach(name -> await(log.deleteTopic(name)));
            fillJournal(log); // until that is in the snapshot, without an entry
        }
        for (int start = 0; start < 3; start++) {
            try (BrokerLog log = BrokerLog.open(config, new DiskFiles())) {
                for (int i = 0; i < 60; i++) {
                    publishSmall(log, "start" + start + "-" + i);
                }
            }
        }
        try (BrokerLog copy = BrokerLog.open(config(to), new DiskFiles())) {
            for (String name : early) {
                assertThat(LogFixture.texts(await(copy.openTopic(name)))).isEqualTo(small(name));
            }
            for (String name : late) {
                assertThat(LogFixture.texts(await(copy.openTopic(name)))).isEqualTo(small(name));
            }
            assertThat(copy.damages()).isEmpty();
        }
    }

    private static void fillJournal(BrokerLog log) {
        for (int i = 0; i < 100; i++) {
            await(log.change(new LogChange().set("value", new byte[4_000])));
        }
    }

    /** Publishes to one small topic after the other until there is that file; their names. */
    private static List<String> publishUntil(BrokerLog log, String prefix, Path file) {
        List<String> names = new ArrayList<>();
        while (!Files.exists(file)) {
            names.add(prefix + names.size());
            publishSmall(log, names.get(names.size() - 1));
        }
        return names;
    }

    private static void publishSmall(BrokerLog log, String name) {
        TopicLog topic = await(log.openTopic(name));
        LogFixture.Receipts receipts = new LogFixture.Receipts();
        topic.listener(receipts);
        Position last = Position.BEFORE_ALL;
        for (String text : small(name)) {
            last = topic.append(header(0), text(text));
        }
        receipts.await(last);
    }

    private static List<String> small(String name) {
        return IntStream.range(0, 8)
                .mapToObj(i -> name + " " + i + "x".repeat(300))
                .toList();
    }

    @Test
    @Behaviour("LOG-14")
    void aPlainCopyOfARunningBrokersFolderIsWholeOrSaysWhatIsMissing() throws Exception {
        whilePublishing(12, (from, to, publishers) -> {
            List<Integer> before = receipted(publishers);
            plainCopy(from, to);
            try (BrokerLog log = BrokerLog.open(config(to), new DiskFiles())) {
                if (isUndamaged(log)) {
                    isPrefixOrDamaged(log, before);
                }
            } catch (IOException e) {
                assertThat(e.getMessage()).contains(to.toString());
            }
        });
    }

    @Test
    @Behaviour("LOG-14")
    void aBackupIsRefusedByNameWhereItWouldNotBeWhole() throws Exception {
        Path data = folder.resolve("data");
        assertThatThrownBy(() -> FolderBackup.run(folder.resolve("none"), folder.resolve("a")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no data folder");
        try (BrokerLog log = BrokerLog.open(config(data), new DiskFiles())) {
            publish(log, 0, ENTRIES);
        }
        FolderBackup.run(data, folder.resolve("a")); // of which nothing was left when it was refused
        assertThatThrownBy(() -> FolderBackup.run(data, data)).hasMessageContaining("is not empty");
        int refused = 0;
        for (Path ledger : ledgers(data)) {
            byte[] bytes = Files.readAllBytes(ledger);
            Files.write(ledger, Arrays.copyOf(bytes, bytes.length / 2));
            refused += isRefusedOrNotNeeded(data, ledger) ? 1 : 0;
            Files.write(ledger, bytes);
        }
        assertThat(refused).isPositive();
    }

    private static List<Path> ledgers(Path data) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("ledgers"))) {
            return files.toList();
        }
    }

    /** What was cut off may be in the journal as well; then nothing is missing in the copy. */
    private boolean isRefusedOrNotNeeded(Path data, Path cut) throws IOException {
        Path copy = folder.resolve("copy without " + cut.getFileName());
        try {
            FolderBackup.run(data, copy);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(cut.getFileName().toString()).hasMessageContaining("bytes are expected");
            assertThat(copy).isEmptyDirectory();
            return true;
        }
        try (BrokerLog log = BrokerLog.open(config(copy), new DiskFiles())) {
            assertThat(log.damages()).isEmpty();
            assertThat(LogFixture.texts(await(log.openTopic("t0")))).hasSize(ENTRIES);
        }
        return false;
    }

    private void whilePublishing(int copies, Copy copy) throws Exception {
        System.out.println("FolderBackupTest: seed " + seed);
        AtomicBoolean stop = new AtomicBoolean();
        try (BrokerLog log = BrokerLog.open(config(folder.resolve("data")), new DiskFiles())) {
            List<Publisher> publishers = new ArrayList<>();
            for (int i = 0; i < TOPICS; i++) {
                publishers.add(new Publisher(await(log.openTopic("t" + i)), stop, seed + i));
            }
            publishers.forEach(Thread::start);
            try {
                for (int i = 0; i < copies; i++) {
                    awaitMore(publishers.get(0));
                    copy.make(folder.resolve("data"), folder.resolve("copy" + i), publishers);
                }
            } finally {
                stop.set(true);
                for (Publisher publisher : publishers) {
                    publisher.join();
                }
            }
        }
    }

    private static void awaitMore(Publisher publisher) {
        int goal = publisher.receipted.get() + MIN_BETWEEN;
        while (publisher.receipted.get() < goal) {
            assertThat(publisher.failure).isNull();
            Thread.onSpinWait();
        }
    }

    private static LogConfig config(Path data) {
        return LogConfig.defaults(data)
                .withJournal(64 * 1024, 3)
                .withLedgers(48 * 1024, 200)
                .withMemory(32 * 1024, 1 << 20);
    }

    private static List<Integer> receipted(List<Publisher> publishers) {
        return publishers.stream().map(publisher -> publisher.receipted.get()).toList();
    }

    private static void publish(BrokerLog log, int from, int to) {
        TopicLog topic = await(log.openTopic("t0"));
        LogFixture.Receipts receipts = new LogFixture.Receipts();
        topic.listener(receipts);
        Position last = Position.BEFORE_ALL;
        for (int i = from; i < to; i++) {
            last = topic.append(header(i), text(i + " " + "x".repeat(i % 300)));
        }
        receipts.await(last);
    }

    private static boolean isUndamaged(BrokerLog log) {
        return log.damages().stream().allMatch(Damage::isTornTail);
    }

    /** The same, unless reading has told of damage that could not be seen when the folder was opened. */
    private void isPrefixOrDamaged(BrokerLog log, List<Integer> atLeast) {
        try {
            isPrefix(log, atLeast);
        } catch (AssertionError e) {
            if (isUndamaged(log)) {
                throw e;
            }
        }
    }

    /** Each topic goes on without a gap to what was receipted at least, from the first entry nobody acknowledged on. */
    private void isPrefix(BrokerLog log, List<Integer> atLeast) {
        LogFixture.settle(log);
        for (int i = 0; i < atLeast.size(); i++) {
            TopicLog topic = await(log.openTopic("t" + i));
            List<Integer> numbers = new ArrayList<>();
            for (String text : LogFixture.texts(topic)) {
                numbers.add(Integer.parseInt(text.substring(0, text.indexOf(' '))));
            }
            String context = "seed " + seed + ", topic " + i + " of " + numbers.size() + " entries";
            for (int n = 1; n < numbers.size(); n++) {
                assertThat(numbers.get(n)).as(context).isEqualTo(numbers.get(n - 1) + 1);
            }
            int end = numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1) + 1;
            assertThat(end).as(context).isGreaterThanOrEqualTo(atLeast.get(i));
            if (topic.cursorNames().isEmpty() && !numbers.isEmpty()) {
                assertThat(numbers.get(0)).as(context).isZero();
            }
        }
    }

    /** Like {@code cp -r}: files one after another, in the order of the folder, those that vanish left out. */
    private static void plainCopy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        List<Path> files;
        try (Stream<Path> listed = Files.list(from)) {
            files = listed.toList();
        }
        for (Path file : files) {
            Path target = to.resolve(file.getFileName());
            if (Files.isDirectory(file)) {
                plainCopy(file, target);
            } else {
                try {
                    Files.copy(file, target);
                } catch (NoSuchFileException vanished) {
                    System.out.println("FolderBackupTest: not copied: " + vanished.getMessage());
                }
            }
        }
    }
}
