package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and checks around damage in one extent, whose frames lie across the ends of what is read at a time. */
final class ExtentReaderTest {
    private static final Path FILE = Path.of("/data/ledgers/1-0.ledger");
    private static final long SALT = 1;
    private static final int FRAMES = 20;
    private static final int FRAME_BYTES = 508;
    private static final int MAX_READS = 100;

    private final SimulatedDisk disk = new SimulatedDisk();
    private final LogParts parts = LogParts.create(LogConfig.defaults(Path.of("/data")), disk, SALT);
    private final Ledger ledger = new Ledger(1, new TopicLog(parts, 1, "a"), 0, FRAMES - 1);
    private final ReadMemory memory = new ReadMemory(1 << 20);
    private DiskFile file;

    @BeforeEach
    void write() throws IOException {
        disk.createDirectories(FILE.getParent());
        file = disk.create(FILE);
        ByteBuffer frames = ByteBuffer.allocate(FRAMES * FRAME_BYTES);
        for (int i = 0; i < FRAMES; i++) {
            write(frames, i, FRAME_BYTES);
        }
        file.write(0, frames.flip());
    }

    private static void write(ByteBuffer target, int entryId, int frameBytes) {
        byte[] data = new byte[frameBytes - Frame.ENTRY_HEAD_BYTES];
        new Frame(SALT).writeEntry(target, 5, 1, entryId, header(1), Unpooled.wrappedBuffer(data));
    }

    /** The limits have 4 096 bytes read, of which the last 32 are the first of entry 8. */
    @Test
    @Behaviour({"LOG-5", "LOG-14"})
    void anEntryWhoseHeadTheReadBeforeHeldInPartIsNotTakenForDamageBeforeIt() throws Exception {
        flipHeadOf(7);
        ExtentReader reader = reader(FRAMES * FRAME_BYTES);
        assertThat(read(reader, 0, 0, new ReadLimits(1_000, 3_588))).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(read(reader, reader.next(), 7, new ReadLimits(1_000, 1 << 20)))
                .containsExactlyElementsOf(LongStream.range(8, FRAMES).boxed().toList());
        assertThat(damages()).contains(7L * FRAME_BYTES);
    }

    /** The damage ends wherever the entry before it puts that, around the end of the first read, of 4 096 bytes. */
    @Test
    @Behaviour({"LOG-5", "LOG-14"})
    void anEntryBehindDamageIsReadWhereverTheReadBeforeItEnds() throws Exception {
        for (int start = 4_096 - 2 * Frame.ENTRY_HEAD_BYTES; start <= 4_096 + 1; start++) {
            ByteBuffer frames = ByteBuffer.allocate(FRAMES * FRAME_BYTES);
            write(frames, 0, start);
            write(frames, 1, FRAME_BYTES);
            int end = frames.position();
            file.write(0, frames.flip());
            flipHeadOf(0);
            assertThat(read(reader(end), 0, 0, new ReadLimits(1, 1)))
                    .as("an entry at byte %d", start)
                    .containsExactly(1L);
        }
    }

    /** The data of three frames; the first read holds eight. */
    @Test
    void noEntryIsReadBehindThatWhichReachesTheLimitOfBytes() throws Exception {
        int bytes = 3 * (FRAME_BYTES - Frame.ENTRY_HEAD_BYTES);
        ExtentReader reader = reader(FRAMES * FRAME_BYTES);
        assertThat(read(reader, 0, 0, new ReadLimits(1_000, bytes))).containsExactly(0L, 1L, 2L);
        assertThat(reader.next()).isEqualTo(3L * FRAME_BYTES);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 39, 40, 67, 68})
    @Behaviour("LOG-14")
    void bytesOfNoEntryBeforeTheEndOfAnExtentAreToldAndPassed(int left) throws Exception {
        int end = 2 * FRAME_BYTES + left;
        flipHeadOf(2);
        ExtentReader reader = reader(end);
        assertThat(read(reader, FRAME_BYTES, 1, new ReadLimits(1, 1))).containsExactly(1L);
        assertThat(read(reader, reader.next(), 2, new ReadLimits(1, 1))).isEmpty();
        assertThat(reader.next()).isEqualTo(end);
        assertThat(damages()).containsExactly(2L * FRAME_BYTES);
    }

    /** An undamaged head says how long its frame is. */
    @Test
    @Behaviour("LOG-14")
    void aFrameThatEndsBehindItsExtentIsToldAndPassed() throws Exception {
        int end = 3 * FRAME_BYTES - 1;
        ExtentReader reader = reader(end);
        assertThat(read(reader, FRAME_BYTES, 1, new ReadLimits(1, 1))).containsExactly(1L);
        assertThat(read(reader, reader.next(), 2, new ReadLimits(1, 1))).isEmpty();
        assertThat(reader.next()).isEqualTo(end);
        assertThat(damages()).containsExactly(2L * FRAME_BYTES);
    }

    @Test
    @Behaviour("LOG-14")
    void anExtentOfWhichNothingIsSoundIsPassedToItsEnd() throws Exception {
        int end = FRAMES * FRAME_BYTES;
        file.write(0, ByteBuffer.allocate(end));
        ExtentReader reader = reader(end);
        assertThat(read(reader, 0, 0, new ReadLimits(1, 1))).isEmpty();
        assertThat(reader.next()).isEqualTo(end);
    }

    /** Entries 8 to 16 have bytes there. */
    @Test
    @Behaviour("LOG-14")
    void aPlaceThatTheDiskCannotReadIsToldAndPassed() throws Exception {
        disk.failReads(FILE, 4_096, 8_192);
        ExtentReader reader = reader(FRAMES * FRAME_BYTES);
        assertThat(read(reader, 0, 0, new ReadLimits(1_000, 1 << 20)))
                .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 17L, 18L, 19L);
        assertThat(damages()).contains(4_096L);
        assertThat(ledger.isUnreadable()).isTrue();
        assertThat(reader.locate(2)).isEqualTo(2L * FRAME_BYTES);
    }

    @Test
    @Behaviour("LOG-14")
    void whatIsSoundBeforeAndBehindALostEntryIsOnePieceEach() throws Exception {
        flipHeadOf(7);
        int end = FRAMES * FRAME_BYTES;
        ExtentCheck check = ExtentCheck.run(context(), FILE, file, ledger, extent(end));
        assertThat(check.sound())
                .containsExactly(
                        new Extent(Extent.OWN_FILE, 0, 7L * FRAME_BYTES, 0, 6),
                        new Extent(Extent.OWN_FILE, 8L * FRAME_BYTES, end, 8, FRAMES - 1));
        assertThat(check.lost()).containsExactly(new EntryRange(1, 7, 7));
    }

    private static Extent extent(long end) {
        return new Extent(Extent.OWN_FILE, 0, end, 0, FRAMES - 1);
    }

    private EntryReader.Context context() {
        return new EntryReader.Context(SALT, parts.folder().damages());
    }

    private ExtentReader reader(long end) {
        Extent extent = extent(end);
        ledger.setExtents(new Extent[] {extent});
        return new ExtentReader(context(), new BoundedReads(file), FILE, ledger, extent);
    }

    private List<Long> read(ExtentReader reader, long offset, long entryId, ReadLimits limits) throws IOException {
        List<Entry> entries = new ArrayList<>();
        reader.read(offset, entryId, limits, memory, entries);
        entries.forEach(Entry::release);
        return entries.stream().map(entry -> entry.position().entryId()).toList();
    }

    private void flipHeadOf(int entryId) throws IOException {
        disk.flip(FILE, (long) entryId * FRAME_BYTES + 8);
    }

    private List<Long> damages() {
        return parts.folder().damages().found().stream().map(Damage::offset).toList();
    }

    /** A file that is read so many times and no more: whoever makes no progress fails. */
    private static final class BoundedReads implements DiskFile {
        private final DiskFile file;
        private int reads;

        BoundedReads(DiskFile file) {
            this.file = file;
        }

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            reads++;
            assertThat(reads).as("reads").isLessThan(MAX_READS);
            return file.read(target, offset);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void lock() throws IOException {
            file.lock();
        }

        @Override
        public void write(long offset, ByteBuffer... sources) throws IOException {
            file.write(offset, sources);
        }

        @Override
        public void force(boolean withLength, ForcePoint point) throws IOException {
            file.force(withLength, point);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
