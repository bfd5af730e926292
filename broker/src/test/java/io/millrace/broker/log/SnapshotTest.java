package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class SnapshotTest {
    private static final Path FILE = Path.of("/data/snapshot");
    private static final int SECTION_HEAD_BYTES = 28;

    private final SimulatedDisk disk = new SimulatedDisk();
    private final Damages damages = new Damages();
    private final LogParts parts = LogParts.create(LogConfig.defaults(Path.of("/data")), disk, 1);

    /** Where the file ends too early a section may lie where the copy of the head would. */
    @Test
    @Behaviour("LOG-14")
    void aSectionOfTheSizeOfAHeadAtTheEndOfAFileThatWasCutShortIsRead() throws Exception {
        Catalog written = catalog();
        byte[] value = new byte[SnapshotHead.BYTES - SECTION_HEAD_BYTES - "a".length()];
        written.values().set("a", value);
        written.values().set("b", value);
        byte[] bytes = bytes(written);
        assertThat(bytes).hasSize(4 * SnapshotHead.BYTES);
        Catalog read = read(Arrays.copyOf(bytes, 2 * SnapshotHead.BYTES));
        assertThat(read.values().all()).containsOnlyKeys("a");
        assertThat(damages.found())
                .singleElement()
                .satisfies(damage -> assertThat(damage.what()).contains("1 sections, but 2"));
    }

    /** It is the smallest section, and the last one. */
    @Test
    @Behaviour("LOG-14")
    void aValueOfNoBytesWithoutANameIsRead() throws Exception {
        Catalog written = catalog();
        written.values().set("", new byte[0]);
        assertThat(read(bytes(written)).values().all()).containsOnlyKeys("");
        assertThat(damages.found()).isEmpty();
    }

    /** Earlier formats did not say it. */
    @Test
    void aTopicThatHasNothingIsEmptyAlsoWhenItIsNotKnownWhenItWasMade() {
        TopicLog topic = new TopicLog(parts, 1, "a");
        assertThat(SnapshotBody.pack(topic).isEmpty()).isTrue();
        topic.times().created(1);
        assertThat(SnapshotBody.pack(topic).isEmpty()).isTrue();
        topic.times().published(2);
        topic.recovered(new Position(1, 0));
        assertThat(SnapshotBody.pack(topic).isEmpty()).isFalse();
    }

    private byte[] bytes(Catalog written) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Snapshot.write(bytes, written, parts.snapshotHead(7, written.sectionCount()));
        return bytes.toByteArray();
    }

    private Catalog read(byte[] bytes) throws IOException {
        disk.createDirectories(FILE.getParent());
        DiskFile file = disk.create(FILE);
        file.write(0, ByteBuffer.wrap(bytes));
        Catalog read = catalog();
        Snapshot.read(FILE, new SnapshotWindow(file), read, damages);
        return read;
    }

    private Catalog catalog() {
        return new Catalog(parts.ids(), (id, name) -> new TopicLog(parts, id, name), ledger -> {});
    }
}
