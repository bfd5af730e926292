package io.millrace.streams.hub.stage;

import org.jspecify.annotations.Nullable;

/**
 * Where the consumers of a broadcast hub are: a slot per position with a count and a linked list, and one slot aside
 * for consumers that hold nothing back. Adding, moving and removing take constant time and allocate nothing.
 *
 * <pre>
 *   slot      0      1      2   ...  2n-1     2n
 *   count   [ 0 ]  [ 2 ]  [ 0 ] ... [ 1 ]   aside
 *                    |                |
 *                   c7 = c3          c1        the slot of position p is p modulo 2n; positions span n at most
 * </pre>
 *
 * The hub's island owns it.
 */
final class HubWheel {
    private final int mask;
    private final int aside;
    private final @Nullable HubConsumer[] first;
    private final int[] count;
    private final int[] pacing;
    private int inWheel;

    HubWheel(int bufferSize) {
        this.mask = 2 * bufferSize - 1;
        this.aside = 2 * bufferSize;
        this.first = new @Nullable HubConsumer[aside + 1];
        this.count = new int[aside + 1];
        this.pacing = new int[aside + 1];
    }

    /** How many consumers the wheel holds, those aside not counted. */
    int inWheel() {
        return inWheel;
    }

    int countAt(long position) {
        return count[(int) position & mask];
    }

    /** Whether all consumers at a position, and there are some, give way when they lag. */
    boolean givesWay(long position) {
        int slot = (int) position & mask;
        return count[slot] > 0 && pacing[slot] == 0;
    }

    @Nullable
    HubConsumer firstAt(long position) {
        return first[(int) position & mask];
    }

    int slots() {
        return first.length;
    }

    @Nullable
    HubConsumer firstIn(int slot) {
        return first[slot];
    }

    int countIn(int slot) {
        return count[slot];
    }

    void add(HubConsumer consumer, long position) {
        consumer.position = position;
        link(consumer, (int) position & mask);
        inWheel++;
    }

    void addAside(HubConsumer consumer, long position) {
        consumer.position = position;
        link(consumer, aside);
    }

    void move(HubConsumer consumer, long position) {
        if (consumer.position != position) {
            unlink(consumer);
            consumer.position = position;
            link(consumer, (int) position & mask);
        }
    }

    /** The consumer has had its first turn: from now on it gives way as its settings say. */
    void settle(HubConsumer consumer) {
        int slot = consumer.slot;
        pacing[slot] -= consumer.paces() ? 1 : 0;
        consumer.isNew = false;
        pacing[slot] += consumer.paces() ? 1 : 0;
    }

    void remove(HubConsumer consumer) {
        if (consumer.slot != aside) {
            inWheel--;
        }
        unlink(consumer);
    }

    private void link(HubConsumer consumer, int slot) {
        if (consumer.slot >= 0) {
            throw new IllegalStateException("the consumer is in slot " + consumer.slot + " already");
        }
        HubConsumer before = first[slot];
        consumer.slot = slot;
        consumer.next = before;
        if (before != null) {
            before.previous = consumer;
        }
        first[slot] = consumer;
        count[slot]++;
        pacing[slot] += consumer.paces() ? 1 : 0;
    }

    private void unlink(HubConsumer consumer) {
        int slot = consumer.slot;
        if (slot < 0) {
            throw new IllegalStateException("the consumer is in no slot");
        }
        HubConsumer before = consumer.previous;
        HubConsumer after = consumer.next;
        if (before == null) {
            first[slot] = after;
        } else {
            before.next = after;
        }
        if (after != null) {
            after.previous = before;
        }
        consumer.previous = null;
        consumer.next = null;
        consumer.slot = -1;
        count[slot]--;
        pacing[slot] -= consumer.paces() ? 1 : 0;
    }
}
