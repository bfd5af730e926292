package io.millrace.broker.log;

import io.millrace.broker.log.JournalItem.AwaitedRecord;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What the broker keeps with a topic beside its entries and cursors: small values by name.
 *
 * <p><b>Threads</b>: anyone reads and sets, the ledger writer applies what is durable. <b>Shared</b>: {@code durable}, a map
 * that is replaced and never changed. <b>Proved by</b>: TopicPropertiesTest, PowerLossTest.
 */
final class TopicProperties {
    private final LogParts parts;
    private final long topicId;
    private volatile Map<String, byte[]> durable = Map.of();
    /** Written among them, and none of them. */
    final TopicTimes times = new TopicTimes();

    TopicProperties(LogParts parts, long topicId) {
        this.parts = parts;
        this.topicId = topicId;
    }

    boolean isEmpty() {
        return durable.isEmpty();
    }

    /** A copy of the durable value of that name; null if there is none. */
    byte @Nullable [] get(String name) {
        byte[] value = durable.get(name);
        return value == null ? null : value.clone();
    }

    /** Sets a value; done when it is durable and {@link #get} answers it. */
    CompletionStage<Void> set(String name, byte[] value) {
        if (!parts.status().takesDeltas()) {
            return CompletableFuture.failedFuture(parts.status().unavailable());
        }
        CatalogChange change = change(name, value);
        parts.folder().config().requireFits("a property of a topic", Frame.recordBytes(change.body().length));
        CompletableFuture<Void> set = new CompletableFuture<>();
        parts.journal().queue().offer(new AwaitedRecord(change, set, () -> set.complete(null)));
        return set;
    }

    /** What sets a value. */
    CatalogChange change(String name, byte[] value) {
        LogParts.requireName(name);
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        byte[] body = ByteBuffer.allocate(Short.BYTES + nameBytes.length + value.length)
                .putShort((short) nameBytes.length)
                .put(nameBytes)
                .put(value)
                .array();
        return CatalogChange.topicProperty(topicId, body);
    }

    /** Applies a durable record; for the ledger writer and recovery. */
    void apply(byte[] body) {
        ByteBuffer bytes = ByteBuffer.wrap(body);
        byte[] name = new byte[Short.toUnsignedInt(bytes.getShort())];
        bytes.get(name);
        byte[] value = new byte[bytes.remaining()];
        bytes.get(value);
        Map<String, byte[]> changed = new TreeMap<>(durable);
        changed.put(new String(name, StandardCharsets.UTF_8), value);
        durable = changed;
    }

    /** Writes them and the times; if there are none, nothing unless something follows. */
    void write(DataOutputStream out, LedgerTable ledgers, boolean isFollowed) throws IOException {
        Map<String, byte[]> all = durable;
        boolean isDated = times.isKnown();
        if (isFollowed || isDated || !all.isEmpty()) {
            out.writeInt(all.size() + (isDated ? 1 : 0));
            if (isDated) {
                write(out, TopicTimes.PROPERTY, times.encoded(ledgers));
            }
            for (Map.Entry<String, byte[]> property : all.entrySet()) {
                write(out, property.getKey(), property.getValue());
            }
        }
    }

    private static void write(DataOutputStream out, String name, byte[] value) throws IOException {
        out.writeUTF(name);
        out.writeInt(value.length);
        out.write(value);
    }

    /** Writes how it begins if there are times alone, which follow. */
    static void writeHeadOfTimes(DataOutputStream out) throws IOException {
        out.writeInt(1);
        out.writeUTF(TopicTimes.PROPERTY);
        out.writeInt(TopicTimes.BYTES);
    }

    /** Reads what {@link #write} has written; none if nothing is left. */
    void read(DataInputStream in, LedgerTable ledgers) throws IOException {
        Map<String, byte[]> all = new TreeMap<>();
        for (int left = in.available() == 0 ? 0 : in.readInt(); left > 0; left--) {
            String name = in.readUTF();
            byte[] value = new byte[in.readInt()];
            in.readFully(value);
            if (name.equals(TopicTimes.PROPERTY)) {
                times.decode(value, ledgers);
            } else {
                all.put(name, value);
            }
        }
        durable = all;
    }
}
