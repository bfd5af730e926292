package io.millrace.streams.schedule;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A row of slots for members that know theirs. They are used from the first on; one of them may be free, and the next to come gets it; a
 * second one is closed by the last member. Which one is free, counted from 1, or {@link #NO_GAP}, is kept by the owner.
 *
 * <p>The row is one array as long as it is short, then chunks, so that growing copies no more than a few of them, and no array is so
 * large that a collector takes it for an old object, for which each reference written to it is dear. Not safe for use by several threads.
 */
final class Slots {
    static final int NO_GAP = 0;
    static final int NOT_HERE = -1;

    private static final int FEWEST = 8;
    private static final int SHIFT = 10;
    private static final int CHUNK = 1 << SHIFT;
    private static final int MASK = CHUNK - 1;
    private static final @Nullable TrackedDisposable[] NONE = new @Nullable TrackedDisposable[0];
    private static final @Nullable TrackedDisposable[][] NO_CHUNKS = new @Nullable TrackedDisposable[0][];

    private @Nullable TrackedDisposable[] first = NONE;
    private @Nullable TrackedDisposable[][] chunks = NO_CHUNKS;
    private int chunkCount;
    private int length;
    private int used;

    /** How many members there are. */
    int count(int gap) {
        return gap == NO_GAP ? used : used - 1;
    }

    /** Gives a slot to a member that is nowhere, and leaves no gap. */
    void add(TrackedDisposable member, int gap) {
        if (gap != NO_GAP) {
            put(member, gap - 1);
        } else {
            if (used == length) {
                grow();
            }
            put(member, used);
            used++;
        }
    }

    private void put(TrackedDisposable member, int slot) {
        set(slot, member);
        member.place = slot;
    }

    /** Whether the member is here. */
    boolean holds(TrackedDisposable member) {
        int place = member.place;
        return place >= 0 && place < used && get(place) == member;
    }

    /** Takes the slot of a member, and says where the gap is then, or {@link #NOT_HERE}. */
    int remove(TrackedDisposable member, int gap) {
        if (!holds(member)) {
            return NOT_HERE;
        }
        int place = member.place;
        set(place, null);
        member.place = TrackedDisposable.NOWHERE;
        return gap == NO_GAP ? place + 1 : close(place, gap);
    }

    /** Closes one of two gaps, the one that has just been made, by the last member. */
    private int close(int place, int gap) {
        int last = --used;
        giveBackAfter(last);
        if (place != last) {
            TrackedDisposable moved = get(last);
            if (moved == null) {
                return place + 1;
            }
            set(last, null);
            put(moved, place);
        }
        return gap;
    }

    /** The last member, or null when there is none. */
    @Nullable
    TrackedDisposable last(int gap) {
        if (count(gap) == 0) {
            return null;
        }
        return gap == used ? get(used - 2) : get(used - 1);
    }

    void forEach(Consumer<TrackedDisposable> action) {
        for (int slot = 0; slot < used; slot++) {
            TrackedDisposable member = get(slot);
            if (member != null) {
                action.accept(member);
            }
        }
    }

    /** Moves all members to another row that has none. */
    void moveTo(Slots other) {
        other.first = first;
        other.chunks = chunks;
        other.chunkCount = chunkCount;
        other.length = length;
        other.used = used;
        first = NONE;
        chunks = NO_CHUNKS;
        chunkCount = 0;
        length = 0;
        used = 0;
    }

    private @Nullable TrackedDisposable get(int slot) {
        return slot < first.length ? first[slot] : chunks[(slot >> SHIFT) - 1][slot & MASK];
    }

    private void set(int slot, @Nullable TrackedDisposable member) {
        if (slot < first.length) {
            first[slot] = member;
        } else {
            chunks[(slot >> SHIFT) - 1][slot & MASK] = member;
        }
    }

    private void grow() {
        if (first.length < CHUNK) {
            first = Arrays.copyOf(first, Math.max(FEWEST, first.length << 1));
        } else {
            if (chunkCount == chunks.length) {
                chunks = Arrays.copyOf(chunks, Math.max(1, chunkCount << 1));
            }
            chunks[chunkCount] = new @Nullable TrackedDisposable[CHUNK];
            chunkCount++;
        }
        length = first.length + (chunkCount << SHIFT);
    }

    /** Gives back the last chunk when this slot, the last that is used, is well before it. */
    @SuppressWarnings("NullAway") // a chunk that is not counted is not read
    private void giveBackAfter(int last) {
        if (chunkCount > 0 && length - last > CHUNK + CHUNK / 2) {
            chunks[--chunkCount] = null;
            length -= CHUNK;
        }
    }
}
