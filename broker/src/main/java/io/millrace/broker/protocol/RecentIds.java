package io.millrace.broker.protocol;

import java.util.LinkedHashSet;

/** The last ids that were added, up to a fixed number. Single-threaded. */
final class RecentIds {
    private final int capacity;
    private final LinkedHashSet<Long> ids = new LinkedHashSet<>();

    RecentIds(int capacity) {
        this.capacity = capacity;
    }

    void add(long id) {
        ids.add(id);
        if (ids.size() > capacity) {
            ids.remove(ids.iterator().next());
        }
    }

    void remove(long id) {
        ids.remove(id);
    }

    boolean contains(long id) {
        return ids.contains(id);
    }
}
