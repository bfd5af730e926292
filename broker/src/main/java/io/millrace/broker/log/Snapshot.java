package io.millrace.broker.log;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.BitSet;
import java.util.Map;

/**
 * The catalog as bytes: what holds after the groups up to {@code epoch}, apart from entries that are in the files it
 * names.
 */
final class Snapshot {
    private Snapshot() {}

    static byte[] write(Catalog catalog, LogParts.Ids ids, long salt, long epoch) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(salt);
        out.writeLong(epoch);
        out.writeLong(ids.topic().get());
        out.writeLong(ids.cursor().get());
        out.writeLong(ids.ledger().get());
        out.writeInt(catalog.topicCount());
        for (TopicLog topic : catalog.topics()) {
            out.writeLong(topic.id());
            out.writeUTF(topic.name());
            writePosition(out, topic.lastDurable());
            writeCursors(out, topic);
            for (Ledger ledger : catalog.ledgersOf(topic)) {
                writeLedger(out, ledger);
            }
            out.writeLong(-1);
        }
        return bytes.toByteArray();
    }

    private static void writeLedger(DataOutputStream out, Ledger ledger) throws IOException {
        Extent[] extents = ledger.extents();
        out.writeLong(ledger.id);
        out.writeInt(extents.length);
        for (Extent extent : extents) {
            out.writeLong(extent.fileNumber());
            out.writeLong(extent.start());
            out.writeLong(extent.end());
            out.writeLong(extent.firstEntry());
            out.writeLong(extent.lastEntry());
        }
    }

    private static void writeCursors(DataOutputStream out, TopicLog topic) throws IOException {
        Map<Long, TopicCursors.Image> images = topic.cursors().images();
        out.writeInt(images.size());
        for (Map.Entry<Long, TopicCursors.Image> image : images.entrySet()) {
            out.writeLong(image.getKey());
            out.writeUTF(image.getValue().name());
            writeState(out, image.getValue().state());
        }
    }

    private static void writeState(DataOutputStream out, CursorState state) throws IOException {
        writePosition(out, state.markDelete());
        out.writeInt(state.ackedBits().size());
        for (Map.Entry<Long, BitSet> ledger : state.ackedBits().entrySet()) {
            out.writeLong(ledger.getKey());
            writeWords(out, ledger.getValue().toLongArray());
        }
        out.writeInt(state.partialBatches().size());
        for (Map.Entry<Position, long[]> batch : state.partialBatches().entrySet()) {
            writePosition(out, batch.getKey());
            writeWords(out, batch.getValue());
        }
    }

    private static void writePosition(DataOutputStream out, Position position) throws IOException {
        out.writeLong(position.ledgerId());
        out.writeLong(position.entryId());
    }

    private static void writeWords(DataOutputStream out, long[] words) throws IOException {
        out.writeInt(words.length);
        for (long word : words) {
            out.writeLong(word);
        }
    }

    static long salt(byte[] snapshot) throws IOException {
        return new DataInputStream(new ByteArrayInputStream(snapshot)).readLong();
    }

    /** Fills an empty catalog; returns the epoch up to which it holds. */
    static long read(byte[] snapshot, Catalog catalog, LogParts.Ids ids) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(snapshot));
        in.readLong();
        long epoch = in.readLong();
        ids.topic().set(in.readLong());
        ids.cursor().set(in.readLong());
        ids.ledger().set(in.readLong());
        int topicCount = in.readInt();
        for (int i = 0; i < topicCount; i++) {
            TopicLog topic = catalog.addTopic(in.readLong(), in.readUTF());
            topic.recovered(readPosition(in));
            int cursorCount = in.readInt();
            for (int cursor = 0; cursor < cursorCount; cursor++) {
                long id = in.readLong();
                topic.cursors().restore(id, new TopicCursors.Image(in.readUTF(), readState(in, topic)));
            }
            for (long ledgerId = in.readLong(); ledgerId >= 0; ledgerId = in.readLong()) {
                readLedger(in, catalog.addLedger(topic, ledgerId));
            }
        }
        return epoch;
    }

    private static void readLedger(DataInputStream in, Ledger ledger) throws IOException {
        Extent[] extents = new Extent[in.readInt()];
        for (int i = 0; i < extents.length; i++) {
            extents[i] = new Extent(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
            ledger.bytes += extents[i].bytes();
        }
        ledger.setExtents(extents);
        ledger.setLastEntry(ledger.lastPlacedEntry());
    }

    private static CursorState readState(DataInputStream in, TopicLog topic) throws IOException {
        CursorState state = new CursorState(topic, readPosition(in));
        int ledgerCount = in.readInt();
        for (int i = 0; i < ledgerCount; i++) {
            state.ackedBits().put(in.readLong(), BitSet.valueOf(readWords(in)));
        }
        int batchCount = in.readInt();
        for (int i = 0; i < batchCount; i++) {
            state.partialBatches().put(readPosition(in), readWords(in));
        }
        return state;
    }

    private static Position readPosition(DataInputStream in) throws IOException {
        return new Position(in.readLong(), in.readLong());
    }

    private static long[] readWords(DataInputStream in) throws IOException {
        long[] words = new long[in.readInt()];
        for (int i = 0; i < words.length; i++) {
            words[i] = in.readLong();
        }
        return words;
    }
}
