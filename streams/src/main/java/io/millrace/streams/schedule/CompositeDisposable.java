package io.millrace.streams.schedule;

import org.jspecify.annotations.Nullable;

/**
 * A set of disposables that are disposed together; adding and removing take constant time.
 *
 * <p>Once it is disposed, what is added is disposed at once. Members are told apart by identity.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> the table, an open-addressing one with linear probing, under the monitor;
 * members are disposed outside it. <b>States:</b> open -> disposed, once.
 */
public final class CompositeDisposable implements Disposable {
    private static final int INITIAL_CAPACITY = 8;

    private @Nullable Disposable[] table = new @Nullable Disposable[INITIAL_CAPACITY];
    private int size;
    private volatile boolean disposed;

    /** An empty set. */
    public CompositeDisposable() {}

    /** Adds one; false when the set is disposed, and then it was disposed instead. */
    public boolean add(Disposable member) {
        if (!disposed) {
            synchronized (this) {
                if (!disposed) {
                    insert(member);
                    return true;
                }
            }
        }
        member.dispose();
        return false;
    }

    /** Takes one out without disposing it; false when it was not there. */
    public synchronized boolean remove(Disposable member) {
        int index = find(member);
        if (table[index] == null) {
            return false;
        }
        size--;
        closeGap(index);
        return true;
    }

    /** How many members it has. */
    public synchronized int size() {
        return size;
    }

    /** Disposes the present members and stays open. */
    public void clear() {
        disposeAll(takeAll(false));
    }

    @Override
    public void dispose() {
        disposeAll(takeAll(true));
    }

    @Override
    public boolean isDisposed() {
        return disposed;
    }

    private synchronized @Nullable Disposable[] takeAll(boolean forGood) {
        disposed |= forGood;
        @Nullable Disposable[] taken = table;
        table = new @Nullable Disposable[disposed ? 1 : INITIAL_CAPACITY];
        size = 0;
        return taken;
    }

    private static void disposeAll(@Nullable Disposable[] members) {
        for (Disposable member : members) {
            if (member != null) {
                member.dispose();
            }
        }
    }

    private void insert(Disposable member) {
        int index = find(member);
        if (table[index] != null) {
            return;
        }
        table[index] = member;
        size++;
        if (size > table.length >> 1) {
            grow();
        }
    }

    private void grow() {
        @Nullable Disposable[] old = table;
        table = new @Nullable Disposable[Math.multiplyExact(old.length, 2)];
        for (Disposable member : old) {
            if (member != null) {
                table[find(member)] = member;
            }
        }
    }

    /** Where the member is, or the empty cell where it would go. */
    private int find(Disposable member) {
        int mask = table.length - 1;
        int index = home(member, mask);
        while (table[index] != null && table[index] != member) {
            index = (index + 1) & mask;
        }
        return index;
    }

    /** Moves later members of the probe run back, so that no cell has to be marked as deleted. */
    private void closeGap(int start) {
        int mask = table.length - 1;
        int gap = start;
        int index = start;
        while (true) {
            index = (index + 1) & mask;
            Disposable member = table[index];
            if (member == null) {
                table[gap] = null;
                return;
            }
            if (((index - home(member, mask)) & mask) >= ((index - gap) & mask)) {
                table[gap] = member;
                gap = index;
            }
        }
    }

    private static int home(Disposable member, int mask) {
        int hash = System.identityHashCode(member) * 0x9E3779B9;
        return (hash ^ (hash >>> 16)) & mask;
    }
}
