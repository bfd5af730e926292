package io.millrace.benchmarks.hub;

import org.jspecify.annotations.Nullable;

/** Consumers that link each other, and a count per slot: the design of our hub. */
final class IntrusiveListWheel implements Wheel {
    /** A consumer and its links. */
    private static final class Consumer {
        private long position;

        @Nullable
        private Consumer previous;

        @Nullable
        private Consumer next;
    }

    private final @Nullable Consumer[] first;
    private final int[] count;
    private final int mask;
    private Consumer[] consumers = {};

    IntrusiveListWheel(int buffer) {
        first = new @Nullable Consumer[2 * buffer];
        count = new int[2 * buffer];
        mask = 2 * buffer - 1;
    }

    @Override
    public String name() {
        return Rounds.OURS;
    }

    @Override
    public void fill(int number) {
        consumers = new Consumer[number];
        for (int i = 0; i < number; i++) {
            consumers[i] = new Consumer();
            link(consumers[i], 0);
        }
    }

    private void link(Consumer consumer, int slot) {
        Consumer before = first[slot];
        consumer.next = before;
        consumer.previous = null;
        if (before != null) {
            before.previous = consumer;
        }
        first[slot] = consumer;
        count[slot]++;
    }

    @Override
    public void move(int consumer, long to) {
        Consumer moved = consumers[consumer];
        int slot = (int) moved.position & mask;
        Consumer before = moved.previous;
        Consumer after = moved.next;
        if (before == null) {
            first[slot] = after;
        } else {
            before.next = after;
        }
        if (after != null) {
            after.previous = before;
        }
        count[slot]--;
        moved.position = to;
        link(moved, (int) to & mask);
    }

    @Override
    public long advance(long head, long tail) {
        long reached = head;
        while (reached != tail && count[(int) reached & mask] == 0) {
            reached++;
        }
        return reached;
    }
}
