package io.millrace.broker.log;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.LongFunction;

/** What is known of one topic, apart from its name and entries, as bytes: its last position, cursors, ledgers, properties, and those of its cursors. */
final class SnapshotBody {
    private static final int FIRST_BYTES = 256;

    /** A topic without ledgers and cursors that never had an entry. */
    private static final byte[] EMPTY_TOPIC = bytes(out -> {
        writePosition(out, Position.BEFORE_ALL);
        out.writeInt(0);
        out.writeLong(-1);
    });

    /** The same, of which it is known when it was made, without that. */
    private static final byte[] EMPTY_TOPIC_AND_TIMES = bytes(out -> {
        out.write(EMPTY_TOPIC);
        TopicProperties.writeHeadOfTimes(out);
    });

    private SnapshotBody() {}

    /** Something that can be written to a stream. */
    @FunctionalInterface
    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(FIRST_BYTES);
        try {
            writing.to(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written to", e);
        }
        return bytes.toByteArray();
    }

    /** Whether that topic has no ledgers, cursors and properties and never had an entry. */
    static boolean isEmpty(byte[] topic) {
        int head = EMPTY_TOPIC_AND_TIMES.length;
        return Arrays.equals(topic, EMPTY_TOPIC)
                || (topic.length == head + TopicTimes.BYTES
                        && Arrays.equals(topic, 0, head, EMPTY_TOPIC_AND_TIMES, 0, head));
    }

    static byte[] of(TopicLog topic, Iterable<Ledger> ledgers) {
        return bytes(out -> {
            writePosition(out, topic.lastDurable());
            writeCursors(out, topic);
            for (Ledger ledger : ledgers) {
                writeLedger(out, ledger);
            }
            out.writeLong(-1);
            topic.properties().write(out, topic.table(), topic.cursors().propertyBytes() > 0);
            topic.cursors().writeProperties(out);
        });
    }

    /** A topic as bytes, every ledger of which is durable and has all its entries in files. */
    static PackedTopic pack(TopicLog topic) {
        Ledger last = topic.table().last();
        byte[] body = of(topic, List.of(topic.table().ledgers()));
        return new PackedTopic(topic.id(), topic.name(), body, last != null && topic.isOpen(last));
    }

    /** Unpacks a topic, which the factory creates. */
    static TopicLog unpack(PackedTopic packed, BiFunction<Long, String, TopicLog> factory) {
        TopicLog topic = factory.apply(packed.id(), packed.name());
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(packed.body()));
            read(in, topic, topic::ledgerOpened);
            topic.properties().read(in, topic.table());
            topic.cursors().readProperties(in);
        } catch (IOException e) {
            throw new UncheckedIOException("what is packed of topic " + packed.name() + " is cut short", e);
        }
        topic.cursors().nameRecovered();
        topic.countRecovered();
        if (packed.isOpen()) {
            topic.reopenLast();
        }
        return topic;
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
        for (Map.Entry<Long, EntryBits> ledger : state.ackedBits().entrySet()) {
            out.writeLong(ledger.getKey());
            ledger.getValue().write(out);
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

    /** Fills a topic but for its properties; its ledgers are made by that function from their ids. */
    static void read(DataInputStream in, TopicLog topic, LongFunction<Ledger> ledgers) throws IOException {
        topic.recovered(readPosition(in));
        int cursorCount = in.readInt();
        for (int cursor = 0; cursor < cursorCount; cursor++) {
            long id = in.readLong();
            topic.cursors()
                    .restore(id, new TopicCursors.Image(in.readUTF(), readState(in, topic), CursorProperties.NONE));
        }
        for (long ledgerId = in.readLong(); ledgerId >= 0; ledgerId = in.readLong()) {
            readLedger(in, ledgers.apply(ledgerId));
        }
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
            state.restore(in.readLong(), EntryBits.read(in));
        }
        int batchCount = in.readInt();
        for (int i = 0; i < batchCount; i++) {
            state.remember(readPosition(in), readWords(in));
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
