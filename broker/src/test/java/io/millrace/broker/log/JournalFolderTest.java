package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which files a start needs that has a snapshot up to some group. */
final class JournalFolderTest {
    private static final Path JOURNAL = Path.of("/data/journal");
    private static final int FILE_BYTES = 4 * 1024;

    private final SimulatedDisk disk = new SimulatedDisk();
    private final Frame frame = new Frame(1);

    @BeforeEach
    void makeFolder() {
        disk.createDirectories(JOURNAL);
    }

    @Test
    void aFileIsNeededUnlessALaterOneBeginsWithTheNextGroupOrOneBeforeIt() throws Exception {
        write(2, 0, 6, 7);
        write(1, 0, 1, 2, 3, 4, 5);
        write(3, 0);
        write(4, 0, 8);
        try (JournalFolder folder = JournalFolder.open(disk, JOURNAL, frame)) {
            assertThat(neededBehind(folder, 0)).containsExactly(1L, 2L, 4L);
            assertThat(neededBehind(folder, 4)).containsExactly(1L, 2L, 4L);
            assertThat(neededBehind(folder, 5)).containsExactly(2L, 4L);
            assertThat(neededBehind(folder, 6)).containsExactly(2L, 4L);
            assertThat(neededBehind(folder, 7)).containsExactly(4L);
            assertThat(neededBehind(folder, 8)).containsExactly(4L);
        }
    }

    @Test
    void aFileWithoutGroupsIsNeverNeeded() throws Exception {
        write(1, 0);
        write(2, 0, 6);
        try (JournalFolder folder = JournalFolder.open(disk, JOURNAL, frame)) {
            assertThat(neededBehind(folder, 4)).containsExactly(2L);
        }
    }

    /** The group may be what is left of one that was lost, among older ones. */
    @Test
    void aFileThatDoesNotBeginWithAGroupTellsNothingOfThoseBeforeIt() throws Exception {
        write(1, 0, 1, 2, 3);
        write(2, 100, 4);
        try (JournalFolder folder = JournalFolder.open(disk, JOURNAL, frame)) {
            assertThat(neededBehind(folder, 4)).containsExactly(1L, 2L);
        }
    }

    private static List<Long> neededBehind(JournalFolder folder, long epoch) {
        return folder.filesBehind(epoch).stream()
                .map(file -> file.journal.number())
                .toList();
    }

    /** A file with these groups, each a commit alone, behind so many bytes that are no frame. */
    private void write(int number, int damagedBytes, long... epochs) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(FILE_BYTES);
        for (int i = 0; i < damagedBytes; i++) {
            bytes.put((byte) 1);
        }
        for (long epoch : epochs) {
            frame.writeRecord(bytes, Frame.COMMIT, epoch, 0, 0, new byte[0]);
        }
        disk.create(JOURNAL.resolve(JournalFiles.name(number))).write(0, bytes.clear());
    }
}
