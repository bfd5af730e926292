package io.millrace.broker.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The durable values that the log keeps beside its topics, by name.
 *
 * <p><b>Threads</b>: recovery, then the ledger writer changes them, any reads. <b>Shared</b>: the map, concurrent, whose
 * arrays nobody changes; {@code heapBytes}, atomic. <b>Proved by</b>: LogChangeTest.
 */
final class LogValues {
    private static final long PLACE_BYTES = 150;

    private final Map<String, byte[]> byName = new ConcurrentSkipListMap<>();
    private final AtomicLong heapBytes = new AtomicLong();

    Map<String, byte[]> all() {
        return byName;
    }

    /** The durable value of that name, to be read only; null if there is none. */
    byte @Nullable [] get(String name) {
        return byName.get(name);
    }

    int count() {
        return byName.size();
    }

    /** What they take of the heap. */
    long heapBytes() {
        return heapBytes.get();
    }

    void set(String name, byte[] value) {
        byte[] old = byName.put(name, value);
        long before = old == null ? 0 : PLACE_BYTES + name.length() + old.length;
        heapBytes.addAndGet(PLACE_BYTES + name.length() + value.length - before);
    }

    /** Applies a record of a value that was set. */
    void set(byte[] body) {
        ByteBuffer bytes = ByteBuffer.wrap(body);
        byte[] name = new byte[Short.toUnsignedInt(bytes.getShort())];
        bytes.get(name);
        byte[] value = new byte[bytes.remaining()];
        bytes.get(value);
        set(new String(name, StandardCharsets.UTF_8), value);
    }

    /** Applies a record of a value that was removed. */
    void remove(byte[] body) {
        remove(new String(body, StandardCharsets.UTF_8));
    }

    private void remove(String name) {
        byte[] old = byName.remove(name);
        if (old != null) {
            heapBytes.addAndGet(-PLACE_BYTES - name.length() - old.length);
        }
    }
}
