package io.millrace.broker.log;

import static io.millrace.broker.log.LogFixture.header;
import static io.millrace.broker.log.LogFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.JournalReplay.Found;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a lost group leaves in a file that was in use before is no group, wherever its number would stand. */
final class JournalReplayTest {
    private static final int FILE_BYTES = 8 * 1024;
    private static final int SECTOR_BYTES = 512;
    private static final long SERIES = 1L << 40;
    private static final long SNAPSHOT = SERIES + 7;
    private static final long FIRST = 2 * SERIES + 1;

    private final SimulatedDisk disk = new SimulatedDisk();
    private final Frame frame = new Frame(42);
    private final Damages damages = new Damages();
    private final List<Long> entries = new ArrayList<>();
    private final List<Long> groups = new ArrayList<>();
    private final List<Long> tornEnds = new ArrayList<>();

    JournalReplayTest() throws IOException {
        disk.createDirectories(Path.of("/data/journal"));
    }

    @Test
    @Behaviour({"LOG-4", "LOG-6"})
    void leftoversAmongOlderFramesHideNoGroupThatHasALowerNumber() throws Exception {
        ByteBuffer recycled = ByteBuffer.allocate(FILE_BYTES);
        frame.writeEntry(recycled, SNAPSHOT - 2, 1, 0, header(1), text("old".repeat(80)));
        leftover(recycled, FIRST + 9);
        JournalReplay replay = replay(file(0, recycled), file(1, twoGroups()));
        assertThat(entries).containsExactly(0L, 1L);
        assertThat(groups).containsExactly(FIRST, FIRST + 1);
        assertThat(damages.found()).isEmpty();
        assertThat(replay.nextEpoch()).isGreaterThan(FIRST + 9);
    }

    @Test
    @Behaviour({"LOG-4", "LOG-6"})
    void leftoversInTheLastFileAreNoGroupThatWasMissing() throws Exception {
        ByteBuffer recycled = ByteBuffer.allocate(FILE_BYTES);
        recycled.put(0, (byte) 1);
        leftover(recycled, FIRST);
        replay(file(0, twoGroups()), file(1, recycled));
        assertThat(entries).containsExactly(0L, 1L);
        assertThat(groups).containsExactly(FIRST, FIRST + 1);
        assertThat(damages.found()).isEmpty();
    }

    /** A start begins a series of groups with its number 0 or 1. */
    @Test
    @Behaviour({"LOG-5", "LOG-14"})
    void aSeriesThatBeginsWithALaterGroupIsToldToLackThoseBefore() throws Exception {
        replay(file(0, twoGroups(2 * SERIES)));
        replay(file(0, twoGroups(FIRST)));
        replay(file(0, twoGroups(SNAPSHOT + 1)));
        assertThat(damages.found()).isEmpty();
        replay(file(0, twoGroups(FIRST + 1)));
        assertThat(damages.found())
                .singleElement()
                .satisfies(damage -> assertThat(damage.what())
                        .contains("group " + (SNAPSHOT + 1) + " is expected")
                        .contains("this is group " + (FIRST + 1)));
        assertThat(groups).hasSize(8);
    }

    /** Its only entry is lost; the frame of its commit has no body, and ends where the file does. */
    @Test
    @Behaviour({"LOG-5", "LOG-6"})
    void aTornGroupIsCutOffUpToACommitAtTheEndOfTheFile() throws Exception {
        ByteBuffer bytes = twoGroups();
        int start = bytes.position();
        int commit = FILE_BYTES - Frame.HEAD_BYTES;
        bytes.position(commit);
        frame.writeRecord(bytes, Frame.COMMIT, FIRST + 2, 1, commit - start, new byte[0]);
        JournalReplay replay = replay(file(0, bytes));
        assertThat(replay.isTorn()).isTrue();
        assertThat(tornEnds).containsExactly((long) FILE_BYTES);
        assertThat(groups).containsExactly(FIRST, FIRST + 1);
    }

    private ByteBuffer twoGroups() {
        return twoGroups(FIRST);
    }

    private ByteBuffer twoGroups(long first) {
        ByteBuffer bytes = ByteBuffer.allocate(FILE_BYTES);
        for (int i = 0; i < 2; i++) {
            int start = bytes.position();
            frame.writeEntry(bytes, first + i, 1, i, header(1), text("entry " + i));
            frame.writeRecord(bytes, Frame.COMMIT, first + i, 1, bytes.position() - start, new byte[0]);
        }
        return bytes;
    }

    /** The first sector of the group was lost, the others were kept. */
    private void leftover(ByteBuffer file, long epoch) {
        file.position(SECTOR_BYTES);
        frame.writeEntry(file, epoch, 1, 8, header(1), text("lost"));
        frame.writeEntry(file, epoch, 1, 9, header(1), text("lost too"));
    }

    private Found file(int number, ByteBuffer bytes) throws IOException {
        Path path = Path.of("/data/journal/%08d.journal".formatted(number));
        DiskFile file = disk.create(path);
        file.write(0, bytes.position(0).limit(FILE_BYTES));
        return JournalReplay.find(new JournalFile(path, file, FILE_BYTES), frame);
    }

    private JournalReplay replay(Found... files) throws IOException {
        JournalReplay replay = new JournalReplay(damages, new Collected(), SNAPSHOT);
        replay.replay(List.of(files));
        return replay;
    }

    private final class Collected implements JournalReplay.Target {
        @Override
        public void entry(ByteBuffer bytes, int start) {
            entries.add(Frame.index(bytes, start));
        }

        @Override
        public void record(byte type, long id, long index, byte[] body) {
            throw new AssertionError("there are entries only");
        }

        @Override
        public void torn(JournalFile file, long start, long end) {
            tornEnds.add(end);
        }

        @Override
        public void groupEnd(long epoch) {
            groups.add(epoch);
        }
    }
}
