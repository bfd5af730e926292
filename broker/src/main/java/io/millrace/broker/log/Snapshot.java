package io.millrace.broker.log;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The catalog as bytes: the state after the groups up to the epoch in its head, apart from entries, which are in the
 * files it names. A head, a section for each topic and each value, and the head again; each section has its own
 * checksums, so that damage to one loses that topic or value alone.
 *
 * <pre>
 *  0  magic 'M' 'R' 'T', format         16  topic, -1 of a value
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
    private static final int FIRST_FORMAT_FIELDS_BYTES = 44;
    private static final int SECTION_MAGIC = 0x4D525400;
    private static final int SECTION_HEAD_BYTES = 28;

    private static final long VALUE = -1;

    private Snapshot() {}

    static void write(OutputStream out, Catalog catalog, SnapshotHead head) throws IOException {
        out.write(head.bytes());
        for (TopicLog topic : catalog.unpackedTopics()) {
            writeSection(out, topic.id(), topic.name(), SnapshotBody.of(topic, catalog.ledgersOf(topic)));
        }
        for (PackedTopic topic : catalog.packedTopics()) {
            writeSection(out, topic.id(), topic.name(), topic.body());
        }
        for (Map.Entry<String, byte[]> value : catalog.values().all().entrySet()) {
            writeSection(out, VALUE, value.getKey(), value.getValue());
        }
        for (UnreadableTopic topic : catalog.unreadable()) {
            out.write(topic.section());
        }
        out.write(head.bytes());
    }

    private static void writeSection(OutputStream target, long id, String name, byte[] body) throws IOException {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        ByteBuffer head = ByteBuffer.allocate(SECTION_HEAD_BYTES + nameBytes.length);
        head.putInt(SECTION_MAGIC | SnapshotHead.FORMAT)
                .putInt(0)
                .putInt(body.length)
                .putInt(checksum(ByteBuffer.wrap(body), 0, body.length));
        head.putLong(id).putInt(nameBytes.length).put(nameBytes);
        head.putInt(4, checksum(head, 8, head.capacity()));
        target.write(head.array());
        target.write(body);
    }

    /** What the file says of the folder; fails with the reason if that cannot be read. */
    static SnapshotHead head(Path path, SnapshotWindow file) throws IOException {
        if (SnapshotHead.format(file) != FIRST_FORMAT) {
            return SnapshotHead.read(path, file);
        }
        int bytes = (int) (file.size() - FIRST_FORMAT_HEAD_BYTES);
        boolean whole =
                bytes >= 0 && file.intAt(4) == bytes && file.intAt(8) == file.checksum(FIRST_FORMAT_HEAD_BYTES, bytes);
        if (!whole) {
            throw new IOException(path + " is damaged: " + file.intAt(4) + " bytes that match the checksum at byte 8"
                    + " are expected behind byte 12. Nothing was changed; restore the folder from a backup");
        }
        ByteBuffer in = ByteBuffer.wrap(file.copy(FIRST_FORMAT_HEAD_BYTES, FIRST_FORMAT_FIELDS_BYTES));
        return new SnapshotHead(
                in.getLong(),
                in.getLong(),
                LogIds.of(in.getLong(), in.getLong(), in.getLong()),
                NO_JOURNAL,
                in.getInt());
    }

    /** Fills an empty catalog, with packed topics if it can; one that cannot be read is reported and kept as it is. */
    static void read(Path path, SnapshotWindow file, Catalog catalog, Damages damages) throws IOException {
        SnapshotHead head = head(path, file);
        if (SnapshotHead.format(file) == FIRST_FORMAT) {
            int start = FIRST_FORMAT_HEAD_BYTES + FIRST_FORMAT_FIELDS_BYTES;
            byte[] bytes = file.copy(start, (int) file.size() - start);
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            for (int i = 0; i < head.sections(); i++) {
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
        private final SnapshotWindow file;
        private final Catalog catalog;
        private final Damages damages;

        Sections(Path path, SnapshotWindow file, Catalog catalog, Damages damages) {
            this.path = path;
            this.file = file;
            this.catalog = catalog;
            this.damages = damages;
        }

        void read(SnapshotHead head) throws IOException {
            long copy = file.size() - SnapshotHead.BYTES;
            boolean hasCopy = copy >= SnapshotHead.BYTES && SnapshotHead.isAt(file, copy);
            long end = hasCopy ? copy : file.size();
            if (!SnapshotHead.isAt(file, 0)) {
                damages.report(
                        path,
                        0,
                        "the head is expected here, but does not match its checksum; its copy at byte " + copy
                                + " is read");
            }
            int count = 0;
            long at = SnapshotHead.BYTES;
            while (at < end && !(at == copy && count == head.sections())) {
                at = isSection(at, end) ? section(at) : skip(at, end);
                count++;
            }
            if (at == copy && !hasCopy) {
                damages.report(path, copy, "the copy of the head is expected here, but does not match its checksum");
            }
            if (count < head.sections() && catalog.unreadable().isEmpty()) {
                String what =
                        "the file ends here with " + count + " sections, but " + head.sections() + " are expected";
                damages.report(path, end, what);
                catalog.addUnreadable(new UnreadableTopic(null, new byte[0], path + ": " + what));
            }
        }

        private boolean isSection(long at, long end) throws IOException {
            if (at + SECTION_HEAD_BYTES > end || !SnapshotHead.isKnown(file.intAt(at), SECTION_MAGIC)) {
                return false;
            }
            long nameBytes = file.intAt(at + 24);
            long bodyBytes = file.intAt(at + 8);
            boolean fits = nameBytes >= 0 && bodyBytes >= 0 && at + SECTION_HEAD_BYTES + nameBytes + bodyBytes <= end;
            return fits && file.intAt(at + 4) == file.checksum(at + 8, SECTION_HEAD_BYTES - 8 + (int) nameBytes);
        }

        /** Returns where the next section starts. */
        private long section(long at) throws IOException {
            int nameBytes = file.intAt(at + 24);
            int bodyBytes = file.intAt(at + 8);
            int sum = file.intAt(at + 12);
            long id = file.longAt(at + 16);
            long start = at + SECTION_HEAD_BYTES + nameBytes;
            String name = new String(file.copy(at + SECTION_HEAD_BYTES, nameBytes), StandardCharsets.UTF_8);
            boolean isSound = file.checksum(start, bodyBytes) == sum;
            if (isSound && id == VALUE) {
                catalog.values().set(name, file.copy(start, bodyBytes));
            } else if (isSound) {
                catalog.addPacked(new PackedTopic(id, name, file.copy(start, bodyBytes), false));
            } else {
                unreadable(
                        name,
                        at,
                        start + bodyBytes,
                        "what is known of " + (id == VALUE ? "" : "topic ") + name + " does not match its checksum");
            }
            return start + bodyBytes;
        }

        private long skip(long at, long end) throws IOException {
            long next = at + 1;
            while (next < end && !isSection(next, end)) {
                next++;
            }
            unreadable(null, at, next, "a topic is expected here, but it cannot be made out which");
            return next;
        }

        private void unreadable(@Nullable String name, long at, long end, String what) throws IOException {
            damages.report(path, at, what);
            byte[] section = file.copy(at, (int) (end - at));
            catalog.addUnreadable(new UnreadableTopic(name, section, path + " at byte " + at + ": " + what));
        }
    }

    private static int checksum(ByteBuffer bytes, int start, int end) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(end).position(start));
        return (int) crc.getValue();
    }
}
