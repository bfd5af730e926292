package io.millrace.streams.schedule;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Disposables told apart by identity: an open-addressing table with linear probing, without deletion marks. */
final class IdentityTable {
    private static final int INITIAL_CAPACITY = 8;

    private @Nullable Disposable[] table = new @Nullable Disposable[INITIAL_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    /** Takes one out; false when it was not there. */
    boolean remove(Disposable member) {
        int index = find(member);
        if (table[index] == null) {
            return false;
        }
        size--;
        closeGap(index);
        return true;
    }

    boolean contains(Disposable member) {
        return table[find(member)] != null;
    }

    void forEach(Consumer<Disposable> action) {
        for (Disposable member : table) {
            if (member != null) {
                action.accept(member);
            }
        }
    }

    /** Adds one unless it is there. */
    void add(Disposable member) {
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
