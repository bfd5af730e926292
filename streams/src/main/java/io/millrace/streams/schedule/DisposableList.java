package io.millrace.streams.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The disposables that one thread keeps track of: adding and removing take constant time, whichever it is, and allocate nothing but
 * slots, since the members know theirs. Not safe for use by several threads; {@link CompositeDisposable} is.
 */
public final class DisposableList {
    private final Slots slots = new Slots();
    private int gap = Slots.NO_GAP;

    /** An empty list. */
    public DisposableList() {}

    /** Adds one that is in no list; throws IllegalStateException when it is in one. */
    public void add(TrackedDisposable member) {
        if (member.place != TrackedDisposable.NOWHERE) {
            throw new IllegalStateException("a disposable was added that is in a list already");
        }
        slots.add(member, gap);
        gap = Slots.NO_GAP;
    }

    /** Takes one out without disposing it; false when it is not in this list. */
    public boolean remove(TrackedDisposable member) {
        int left = slots.remove(member, gap);
        if (left == Slots.NOT_HERE) {
            return false;
        }
        gap = left;
        return true;
    }

    /** How many members it has. */
    public int size() {
        return slots.count(gap);
    }

    /** Takes one out, whichever is at hand; null when there is none. */
    @Nullable
    TrackedDisposable removeAny() {
        TrackedDisposable last = slots.last(gap);
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
