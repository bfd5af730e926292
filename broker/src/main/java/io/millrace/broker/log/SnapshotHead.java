package io.millrace.broker.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a snapshot says of the whole folder: the salt of all frames, the last group that the snapshot holds, the next
 * free numbers, and which journal file was in use (-1 if format 1 does not say).
 *
 * <pre>
 *  0  magic 'M' 'R' 'S', format      16  epoch           40  next ledger
 *  4  CRC-32C of 0 .. 3, 8 .. 63     24  next topic      48  number of the journal file in use
 *  8  salt                           32  next cursor     56  how many sections follow, then 4 bytes unused
 * </pre>
 */
record SnapshotHead(long salt, long epoch, LogIds next, long journal, int sections) {
    /**
     * The format that is written; a change to the format of any file raises it. Format 2 has no properties of topics,
     * format 3 no values, format 4 no properties of cursors, format 5 no pages of acknowledgements.
     */
    static final int FORMAT = 6;

    private static final int OLDEST_WITH_SECTIONS = 2;

    static final int BYTES = 64;
    private static final int MAGIC = 0x4D525300;
    private static final int CRC = 4;
    private static final int FIELDS = 8;

    byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.putInt(MAGIC | FORMAT).putInt(0).putLong(salt).putLong(epoch);
        bytes.putLong(next.topic().get()).putLong(next.cursor().get());
        bytes.putLong(next.ledger().get());
        bytes.putLong(journal).putInt(sections);
        return bytes.putInt(CRC, checksum(bytes.array())).array();
    }

    /** The format that the file says it has, or -1 if it is no snapshot. */
    static int format(SnapshotWindow file) throws IOException {
        boolean known = file.size() >= FIELDS && (file.intAt(0) & 0xFFFFFF00) == MAGIC;
        return known ? file.intAt(0) & 0xFF : -1;
    }

    /** The head at the start of the file or its copy at the end; fails with the reason if neither can be read. */
    static SnapshotHead read(Path path, SnapshotWindow file) throws IOException {
        SnapshotHead head = at(file, 0);
        if (head == null) {
            head = at(file, file.size() - BYTES);
        }
        if (head != null) {
            return head;
        }
        int format = format(file);
        if (format > FORMAT) {
            throw later(path, format, FORMAT);
        }
        throw new IOException(path + " is damaged at byte 0 and at byte " + Math.max(0, file.size() - BYTES)
                + ": at each a head of " + BYTES + " bytes with a matching checksum is expected. Nothing was changed;"
                + " restore the folder from a backup");
    }

    /** The exception that refuses a file of a later format. */
    static IOException later(Path path, int format, int known) {
        return new IOException(path + " has format " + format + ", but this version reads formats up to " + known
                + ": start the version that wrote it, or a newer one");
    }

    static boolean isAt(SnapshotWindow file, long start) throws IOException {
        return at(file, start) != null;
    }

    private static @Nullable SnapshotHead at(SnapshotWindow file, long start) throws IOException {
        if (start < 0 || start + BYTES > file.size() || !isKnown(file.intAt(start), MAGIC)) {
            return null;
        }
        byte[] head = file.copy(start, BYTES);
        ByteBuffer fields = ByteBuffer.wrap(head);
        if (fields.getInt(CRC) != checksum(head)) {
            return null;
        }
        fields.position(FIELDS);
        return new SnapshotHead(
                fields.getLong(),
                fields.getLong(),
                LogIds.of(fields.getLong(), fields.getLong(), fields.getLong()),
                fields.getLong(),
                fields.getInt());
    }

    /** Whether a head or section of a format that this version reads begins with these bytes. */
    static boolean isKnown(int magicAndFormat, int magic) {
        int format = magicAndFormat - magic;
        return OLDEST_WITH_SECTIONS <= format && format <= FORMAT;
    }

    private static int checksum(byte[] head) {
        CRC32C crc = new CRC32C();
        crc.update(head, 0, CRC);
        crc.update(head, FIELDS, BYTES - FIELDS);
        return (int) crc.getValue();
    }
}
