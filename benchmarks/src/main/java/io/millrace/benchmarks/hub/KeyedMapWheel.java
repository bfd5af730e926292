package io.millrace.benchmarks.hub;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A hash map from consumer to position per slot, with primitive keys and open addressing; the slot's map is made when first
 * used and let go when empty: the remedy that Pekko published.
 */
final class KeyedMapWheel implements Wheel {
    private final @Nullable Slot[] slots;
    private final int mask;
    private long[] positions = {};

    KeyedMapWheel(int buffer) {
        slots = new @Nullable Slot[2 * buffer];
        mask = 2 * buffer - 1;
    }

    @Override
    public String name() {
        return "keyed-map";
    }

    @Override
    public void fill(int consumers) {
        positions = new long[consumers];
        for (int i = 0; i < consumers; i++) {
            slot(0).add(i);
        }
    }

    private Slot slot(long position) {
        int index = (int) position & mask;
        Slot slot = slots[index];
        if (slot == null) {
            slot = new Slot();
            slots[index] = slot;
        }
        return slot;
    }

    @Override
    public void move(int consumer, long to) {
        int from = (int) positions[consumer] & mask;
        Slot old = slot(from);
        old.remove(consumer);
        if (old.count == 0) {
            slots[from] = null;
        }
        slot(to).add(consumer);
        positions[consumer] = to;
    }

    @Override
    public long advance(long head, long tail) {
        long reached = head;
        while (reached != tail && slots[(int) reached & mask] == null) {
            reached++;
        }
        return reached;
    }

    /** Linear probing (D. Knuth, The Art of Computer Programming, volume 3, 6.4, algorithms L and R). */
    private static final class Slot {
        private static final long FREE = -1;

        private long[] keys = newKeys(16);
        private int count;

        private static long[] newKeys(int size) {
            long[] keys = new long[size];
            Arrays.fill(keys, FREE);
            return keys;
        }

        private static int home(long key, int length) {
            return (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & (length - 1);
        }

        void add(long key) {
            if (2 * (count + 1) > keys.length) {
                long[] old = keys;
                keys = newKeys(2 * old.length);
                for (long moved : old) {
                    if (moved != FREE) {
                        insert(moved);
                    }
                }
            }
            insert(key);
            count++;
        }

        private void insert(long key) {
            int at = home(key, keys.length);
            while (keys[at] != FREE) {
                at = (at + 1) & (keys.length - 1);
            }
            keys[at] = key;
        }

        void remove(long key) {
            int at = home(key, keys.length);
            while (keys[at] != key) {
                at = (at + 1) & (keys.length - 1);
            }
            count--;
            closeGap(at);
        }

        private void closeGap(int removed) {
            int last = keys.length - 1;
            int gap = removed;
            int at = (gap + 1) & last;
            while (keys[at] != FREE) {
                int home = home(keys[at], keys.length);
                if (((at - home) & last) >= ((at - gap) & last)) {
                    keys[gap] = keys[at];
                    gap = at;
                }
                at = (at + 1) & last;
            }
            keys[gap] = FREE;
        }
    }
}
