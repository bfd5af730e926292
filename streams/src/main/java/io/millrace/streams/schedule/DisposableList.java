package io.millrace.streams.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The disposables that one thread keeps track of: adding and removing take constant time, whichever it is, and allocate nothing but
 * slots, since the members know theirs. Not safe for use by several threads; {@link CompositeDisposable} is.
 */
public final class DisposableList {
    private static final int NO_GAP = -1;

    private final Slots slots = new Slots();
    private int used;
    private int gap = NO_GAP;

    /** An empty list. */
    public DisposableList() {}

    /** Adds one that is in no list; throws IllegalStateException when it is in one, as each timer of a worker is. */
    public void add(TrackedDisposable member) {
        if (!member.isFree()) {
            throw new IllegalStateException("a disposable was added that is in a list already, or is a timer");
        }
        insert(member);
    }

    /** Adds a timer, whose deadline is set, to the list of its lane. */
    void addTimer(Task timer) {
        if (timer.place != TrackedDisposable.NOWHERE) {
            throw new IllegalStateException("a timer was added that is in a list already");
        }
        insert(timer);
    }

    private void insert(TrackedDisposable member) {
        int slot = gap;
        if (slot == NO_GAP) {
            addLast(member);
        } else {
            put(member, slot);
            gap = NO_GAP;
        }
    }

    private void addLast(TrackedDisposable member) {
        if (used == slots.length()) {
            slots.grow();
        }
        put(member, used);
        used++;
    }

    private void put(TrackedDisposable member, int slot) {
        slots.set(slot, member);
        member.place = slot;
    }

    /** Takes one out without disposing it; false when it is not in this list. */
    public boolean remove(TrackedDisposable member) {
        int place = member.place;
        if (place < 0 || place >= used || slots.get(place) != member) {
            return false;
        }
        slots.set(place, null);
        member.place = TrackedDisposable.NOWHERE;
        if (gap == NO_GAP) {
            gap = place;
        } else {
            close(place);
        }
        return true;
    }

    /** Closes one of two gaps, the one that has just been made, by the last member. */
    private void close(int place) {
        int last = --used;
        if (place != last) {
            TrackedDisposable moved = slots.get(last);
            if (moved == null) {
                gap = place;
            } else {
                slots.set(last, null);
                put(moved, place);
            }
        }
        if (slots.isSparse(used)) {
            slots.shrink();
        }
    }

    /** How many members it has. */
    public int size() {
        return gap == NO_GAP ? used : used - 1;
    }

    /** Takes one out, whichever is at hand; null when there is none. */
    @Nullable
    TrackedDisposable removeAny() {
        if (size() == 0) {
            return null;
        }
        TrackedDisposable last = slots.get(gap == used - 1 ? used - 2 : used - 1);
        if (last != null) {
            remove(last);
        }
        return last;
    }

    /** Disposes all members and forgets them; those that are added meanwhile too. */
    public void disposeAll() {
        for (TrackedDisposable member = removeAny(); member != null; member = removeAny()) {
            member.dispose();
        }
    }
}
