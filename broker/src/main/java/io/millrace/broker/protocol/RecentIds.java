package io.millrace.broker.protocol;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.function.LongSupplier;

/** The ids that were added of late: for a fixed time, and at most a fixed number. Single-threaded. */
final class RecentIds {
    private final int capacity;
    private final long ageNanos;
    private final LongSupplier nanoTime;
    /** When each was added, the oldest first. */
    private final LinkedHashMap<Long, Long> addedNanos = new LinkedHashMap<>();

    RecentIds(int capacity, Duration age, LongSupplier nanoTime) {
        this.capacity = capacity;
        ageNanos = age.toNanos();
        this.nanoTime = nanoTime;
    }

    void add(long id) {
        addedNanos.remove(id);
        addedNanos.put(id, nanoTime.getAsLong());
        if (addedNanos.size() > capacity) {
            addedNanos.remove(addedNanos.keySet().iterator().next());
        }
    }

    void remove(long id) {
        addedNanos.remove(id);
    }

    boolean contains(long id) {
        Long added = addedNanos.get(id);
        return added != null && nanoTime.getAsLong() - added < ageNanos;
    }
}
