package io.millrace.broker.log;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The catalog as bytes: what holds after the groups up to the epoch in its head, apart from entries that are in the
 * files it names. A head, a section for each topic, and the head again; each section proves itself, so that damage to one
 * costs that topic alone.
 *
 * <pre>
 *  0  magic 'M' 'R' 'T', format         16  topic
 *  4  CRC-32C of 8 .. end of name       24  bytes of name
 *  8  bytes of body                     28  name, then body
 * 12  CRC-32C of body
 * </pre>
 */
final class Snapshot {
    /** Where the number of a journal file is expected, but not known. */
    static final long NO_JOURNAL = -1;

    private static final int FIRST_FORMAT = 1;
    private static final int FIRST_FORMAT_HEAD_BYTES = 12;
    private static final int SECTION_MAGIC = 0x4D525400 | SnapshotHead.FORMAT;
    private static final int SECTION_HEAD_BYTES = 28;

    private Snapshot() {}

    static void write(OutputStream out, Catalog catalog, SnapshotHead head) throws IOException {
        out.write(head.bytes());
        for (TopicLog topic : catalog.unpackedTopics()) {
            writeSection(out, topic.id(), topic.name(), SnapshotBody.of(topic, catalog.ledgersOf(topic)));
        }
        for (PackedTopic topic : catalog.packedTopics()) {
            writeSection(out, topic.id(), topic.name(), topic.body());
        }
        for (UnreadableTopic topic : catalog.unreadable()) {
            out.write(topic.section());
        }
        out.write(head.bytes());
    }

    private static void writeSection(OutputStream target, long id, String name, byte[] body) throws IOException {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        ByteBuffer head = ByteBuffer.allocate(SECTION_HEAD_BYTES + nameBytes.length);
        head.putInt(SECTION_MAGIC)
                .putInt(0)
                .putInt(body.length)
                .putInt(checksum(ByteBuffer.wrap(body), 0, body.length));
        head.putLong(id).putInt(nameBytes.length).put(nameBytes);
        head.putInt(4, checksum(head, 8, head.capacity()));
        target.write(head.array());
        target.write(body);
    }

    /** What the file says of the folder; refused, saying why, if that cannot be read. */
    static SnapshotHead head(Path path, byte[] file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(file);
        if (SnapshotHead.format(bytes) != FIRST_FORMAT) {
            return SnapshotHead.read(path, bytes);
        }
        boolean whole = file.length >= FIRST_FORMAT_HEAD_BYTES
                && bytes.getInt(4) == file.length - FIRST_FORMAT_HEAD_BYTES
                && bytes.getInt(8) == checksum(bytes, FIRST_FORMAT_HEAD_BYTES, file.length);
        if (!whole) {
            throw new IOException(path + " is damaged: " + bytes.getInt(4) + " bytes that match the checksum at byte 8"
                    + " are expected behind byte 12. Nothing was changed; restore the folder from a backup");
        }
        ByteBuffer in = bytes.position(FIRST_FORMAT_HEAD_BYTES);
        return new SnapshotHead(
                in.getLong(),
                in.getLong(),
                LogParts.Ids.of(in.getLong(), in.getLong(), in.getLong()),
                NO_JOURNAL,
                in.getInt());
    }

    /** Fills an empty catalog with packed topics; one that cannot be read is reported and kept as it is. */
    static void read(Path path, byte[] file, Catalog catalog, Damages damages) throws IOException {
        SnapshotHead head = head(path, file);
        if (SnapshotHead.format(ByteBuffer.wrap(file)) == FIRST_FORMAT) {
            int start = FIRST_FORMAT_HEAD_BYTES + 44;
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(file, start, file.length - start));
            for (int i = 0; i < head.topics(); i++) {
                TopicLog topic = catalog.addTopic(in.readLong(), in.readUTF());
                SnapshotBody.read(in, topic, ledgerId -> catalog.addLedger(topic, ledgerId));
            }
        } else {
            new Sections(path, file, catalog, damages).read(head);
        }
    }

    /** Reads the sections of one file. */
    private static final class Sections {
        private final Path path;
        private final byte[] bytes;
        private final ByteBuffer file;
        private final Catalog catalog;
        private final Damages damages;

        Sections(Path path, byte[] bytes, Catalog catalog, Damages damages) {
            this.path = path;
            this.bytes = bytes;
            this.file = ByteBuffer.wrap(bytes);
            this.catalog = catalog;
            this.damages = damages;
        }

        void read(SnapshotHead head) throws IOException {
            int end = SnapshotHead.isAt(file, file.limit() - SnapshotHead.BYTES)
                    ? file.limit() - SnapshotHead.BYTES
                    : file.limit();
            int count = 0;
            int at = SnapshotHead.BYTES;
            while (at < end) {
                int next = isSection(at, end) ? section(at) : skip(at, end);
                at = next;
                count++;
            }
            if (count < head.topics() && catalog.unreadable().isEmpty()) {
                String what = "the file ends here with " + count + " topics, but " + head.topics() + " are expected";
                damages.report(path, end, what);
                catalog.addUnreadable(new UnreadableTopic(null, new byte[0], path + ": " + what));
            }
        }

        private boolean isSection(int at, int end) {
            if (at + SECTION_HEAD_BYTES > end || file.getInt(at) != SECTION_MAGIC) {
                return false;
            }
            long nameEnd = (long) at + SECTION_HEAD_BYTES + file.getInt(at + 24);
            long bodyEnd = nameEnd + file.getInt(at + 8);
            boolean fits = file.getInt(at + 24) >= 0 && file.getInt(at + 8) >= 0 && nameEnd <= end;
            return fits && bodyEnd <= end && file.getInt(at + 4) == checksum(file, at + 8, (int) nameEnd);
        }

        /** Returns where the next section starts. */
        private int section(int at) throws IOException {
            int start = at + SECTION_HEAD_BYTES + file.getInt(at + 24);
            int end = start + file.getInt(at + 8);
            String name =
                    new String(bytes, at + SECTION_HEAD_BYTES, start - at - SECTION_HEAD_BYTES, StandardCharsets.UTF_8);
            long id = file.getLong(at + 16);
            if (checksum(file, start, end) == file.getInt(at + 12)) {
                catalog.addPacked(new PackedTopic(id, name, Arrays.copyOfRange(bytes, start, end), false));
            } else {
                unreadable(name, at, end, "what is known of topic " + name + " does not match its checksum");
            }
            return end;
        }

        private int skip(int at, int end) {
            int next = at + 1;
            while (next < end && !isSection(next, end)) {
                next++;
            }
            unreadable(null, at, next, "a topic is expected here, but it cannot be made out which");
            return next;
        }

        private void unreadable(@Nullable String name, int at, int end, String what) {
            damages.report(path, at, what);
            byte[] section = Arrays.copyOfRange(bytes, at, end);
            catalog.addUnreadable(new UnreadableTopic(name, section, path + " at byte " + at + ": " + what));
        }
    }

    private static int checksum(ByteBuffer bytes, int start, int end) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(end).position(start));
        return (int) crc.getValue();
    }
}
