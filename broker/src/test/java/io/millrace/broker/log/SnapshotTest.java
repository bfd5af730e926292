package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class SnapshotTest {
    private static final Path FILE = Path.of("/data/snapshot");
    private static final int SECTION_HEAD_BYTES = 28;

    private final SimulatedDisk disk = new SimulatedDisk();
    private final LogParts parts = LogParts.create(LogConfig.defaults(Path.of("/data")), disk, 1);

    /** Where the file ends too early a section may lie where the copy of the head would. */
    @Test
    @Behaviour("LOG-14")
    void aSectionOfTheSizeOfAHeadAtTheEndOfAFileThatWasCutShortIsRead() throws Exception {
        Catalog written = catalog();
        byte[] value = new byte[SnapshotHead.BYTES - SECTION_HEAD_BYTES - "a".length()];
        written.values().set("a", value);
        written.values().set("b", value);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Snapshot.write(bytes, written, parts.snapshotHead(7, written.sectionCount()));
        assertThat(bytes.size()).isEqualTo(4 * SnapshotHead.BYTES);
        disk.createDirectories(FILE.getParent());
        DiskFile file = disk.create(FILE);
        file.write(0, ByteBuffer.wrap(bytes.toByteArray(), 0, 2 * SnapshotHead.BYTES));
        Catalog read = catalog();
        Damages damages = new Damages();
        Snapshot.read(FILE, new SnapshotWindow(file), read, damages);
        assertThat(read.values().all()).containsOnlyKeys("a");
        assertThat(damages.found())
                .singleElement()
                .satisfies(damage -> assertThat(damage.what()).contains("1 sections, but 2"));
    }

    private Catalog catalog() {
        return new Catalog(parts.ids(), (id, name) -> new TopicLog(parts, id, name), ledger -> {});
    }
}
