package io.millrace.streams.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The disposables that one thread keeps track of: adding and removing take constant time, wherever in the list, and
 * allocate nothing, since the members carry the links. Not safe for use by several threads; {@link CompositeDisposable}
 * is.
 */
public final class DisposableList {
    private @Nullable LinkedDisposable first;
    private int size;

    /** An empty list. */
    public DisposableList() {}

    /** Adds one that is in no list. */
    public void add(LinkedDisposable member) {
        LinkedDisposable next = first;
        member.after = next;
        if (next != null) {
            next.before = member;
        }
        first = member;
        size++;
    }

    /** Takes one out without disposing it; false when it is in no list. */
    public boolean remove(LinkedDisposable member) {
        LinkedDisposable previous = member.before;
        LinkedDisposable next = member.after;
        if (previous != null) {
            previous.after = next;
        } else if (first == member) {
            first = next;
        } else {
            return false;
        }
        if (next != null) {
            next.before = previous;
        }
        member.before = null;
        member.after = null;
        size--;
        return true;
    }

    /** How many members it has. */
    public int size() {
        return size;
    }

    /** The youngest member, or null. */
    @Nullable
    LinkedDisposable first() {
        return first;
    }

    /** Disposes all members and forgets them, the youngest first; those that are added meanwhile too. */
    public void disposeAll() {
        for (LinkedDisposable member = first; member != null; member = first) {
            remove(member);
            member.dispose();
        }
    }
}
