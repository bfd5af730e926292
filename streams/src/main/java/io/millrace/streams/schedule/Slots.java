package io.millrace.streams.schedule;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A row of slots that grows and shrinks at its end: one array as long as it is short, then chunks, so that growing copies no more than a
 * few of them, and no array is so large that a collector takes it for an old object, for which each reference written to it is dear.
 * Not safe for use by several threads.
 */
final class Slots {
    private static final int FEWEST = 8;
    private static final int SHIFT = 10;
    private static final int CHUNK = 1 << SHIFT;
    private static final int MASK = CHUNK - 1;

    private static final @Nullable TrackedDisposable[] NONE = new @Nullable TrackedDisposable[0];
    private static final @Nullable TrackedDisposable[][] NO_CHUNKS = new @Nullable TrackedDisposable[0][];

    private @Nullable TrackedDisposable[] first = NONE;
    private @Nullable TrackedDisposable[][] others = NO_CHUNKS;
    private int length;
    private int sparse;

    /** How many slots there are. */
    int length() {
        return length;
    }

    /** Whether there are many more slots than so many. */
    boolean isSparse(int used) {
        return used < sparse;
    }

    @Nullable
    TrackedDisposable get(int slot) {
        return slot < first.length ? first[slot] : others[(slot >> SHIFT) - 1][slot & MASK];
    }

    /** Gives a slot to a member, or to none. */
    void set(int slot, @Nullable TrackedDisposable member) {
        if (slot < first.length) {
            first[slot] = member;
        } else {
            others[(slot >> SHIFT) - 1][slot & MASK] = member;
        }
    }

    /** Makes more slots. */
    void grow() {
        if (first.length < CHUNK) {
            first = Arrays.copyOf(first, Math.max(FEWEST, first.length << 1));
        } else {
            @Nullable TrackedDisposable[][] more = Arrays.copyOf(others, others.length + 1);
            more[others.length] = new @Nullable TrackedDisposable[CHUNK];
            others = more;
        }
        measure();
    }

    /** Gives back slots when it is sparse; where there is no memory for a copy, it is not sparse until it has grown. */
    void shrink() {
        try {
            if (others.length > 0) {
                others = Arrays.copyOf(others, others.length - 1);
            } else {
                first = Arrays.copyOf(first, first.length >> 1);
            }
        } catch (OutOfMemoryError noRoom) {
            sparse = 0;
            return;
        }
        measure();
    }

    /** Exchanges all slots with another row. */
    void swapWith(Slots other) {
        @Nullable TrackedDisposable[] itsFirst = other.first;
        @Nullable TrackedDisposable[][] itsOthers = other.others;
        other.first = first;
        other.others = others;
        first = itsFirst;
        others = itsOthers;
        other.measure();
        measure();
    }

    private void measure() {
        length = first.length + (others.length << SHIFT);
        if (others.length > 0) {
            sparse = length - CHUNK - CHUNK / 2;
        } else {
            sparse = first.length > FEWEST ? first.length >> 3 : 0;
        }
    }
}
