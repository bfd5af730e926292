package io.millrace.streams.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A set of disposables that are disposed together; adding and removing take constant time.
 *
 * <p>Once it is disposed, what is added is disposed at once. Members are told apart by identity. A member that is a
 * {@link TrackedDisposable} takes a slot and knows which. One slot that a member has left may stay free for the next to come; a
 * second one is closed by the last member. Any other member goes to a table.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> the slots, the places of those in them and the table, under a lock of one word, which
 * says how the slots are used when nobody holds it: it is taken by an exchange and given back by a write with release, as it is
 * held for a few instructions only; members are disposed outside it. <b>States:</b> open -> disposed, once.
 * <b>Proved by:</b> DisposablesTest.
 */
public final class CompositeDisposable implements Disposable {
    private static final long HELD = -1;
    private static final long DISPOSED = -2;
    private static final long GAP_UNIT = 1L << Integer.SIZE;
    private static final int SPINS = 100;
    private static final long REST_NANOS = 50_000;
    private static final VarHandle LOCK;

    static {
        try {
            LOCK = MethodHandles.lookup().findVarHandle(CompositeDisposable.class, "lock", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Slots slots = new Slots();
    private @Nullable IdentityTable others;
    private volatile boolean disposed;

    /**
     * {@link #HELD}, {@link #DISPOSED}, or how many slots are used, from the first on; one of them may be free: then plus
     * {@link #GAP_UNIT} times one more than its place.
     */
    @SuppressWarnings("UnusedVariable") // used through its handle
    private long lock;

    /** An empty set. */
    public CompositeDisposable() {}

    /** Adds one; false when the set is disposed, and then it was disposed instead. */
    public boolean add(Disposable member) {
        Slots row = slots; // read ahead, as nothing is before the exchange is done
        long use = lock();
        if (use >= 0 && member instanceof TrackedDisposable tracked && tracked.isFree() && others == null) {
            if (hasGap(use)) {
                put(row, tracked, gap(use));
                unlock(used(use));
                return true;
            }
            int slot = used(use);
            if (slot < slots.length()) {
                put(row, tracked, slot);
                unlock(slot + 1);
                return true;
            }
        }
        return addAnyway(member, use);
    }

    /** Takes one out without disposing it; false when it was not there. */
    public boolean remove(Disposable member) {
        Slots row = slots; // as above
        long use = lock();
        if (member instanceof TrackedDisposable tracked && isHere(row, tracked, use)) {
            int place = tracked.place;
            tracked.place = TrackedDisposable.NOWHERE;
            row.set(place, null);
            if (hasGap(use)) {
                closeAndUnlock(place, use);
            } else {
                unlock(use + (place + 1) * GAP_UNIT);
            }
            return true;
        }
        boolean was = others != null && others.remove(member);
        unlock(use);
        return was;
    }

    /** How many members it has. */
    public int size() {
        long use = lock();
        int size = (use < 0 ? 0 : used(use) - (hasGap(use) ? 1 : 0)) + (others == null ? 0 : others.size());
        unlock(use);
        return size;
    }

    /** Disposes the present members and stays open. */
    public void clear() {
        disposeMembers(false);
    }

    @Override
    public void dispose() {
        if (!disposed) {
            disposeMembers(true);
        }
    }

    @Override
    public boolean isDisposed() {
        return disposed;
    }

    private static boolean hasGap(long use) {
        return use >= GAP_UNIT;
    }

    private static int gap(long use) {
        return (int) (use >> Integer.SIZE) - 1;
    }

    private static int used(long use) {
        return (int) use;
    }

    private boolean isHere(Slots row, TrackedDisposable member, long use) {
        int place = member.place;
        return place >= 0 && place < used(use) && row.get(place) == member;
    }

    private void put(Slots row, TrackedDisposable member, int slot) {
        row.set(slot, member);
        member.place = slot;
    }

    private boolean addAnyway(Disposable member, long before) {
        boolean open = before != DISPOSED;
        long use = before;
        try {
            if (open) {
                use = insert(member, before);
            }
        } finally {
            unlock(use);
        }
        if (!open) {
            member.dispose();
        }
        return open;
    }

    /** Adds a member unless it is there, and says how the slots are used then. */
    private long insert(Disposable member, long use) {
        if (member instanceof TrackedDisposable tracked) {
            if (isHere(slots, tracked, use)) {
                return use;
            }
            if (tracked.isFree() && (others == null || !others.contains(tracked))) {
                if (used(use) == slots.length()) {
                    slots.grow();
                }
                put(slots, tracked, used(use));
                return use + 1;
            }
        }
        if (others == null) {
            others = new IdentityTable();
        }
        others.add(member);
        return use;
    }

    /** Closes one of two gaps, the one that has just been made, by the last member. */
    private void closeAndUnlock(int place, long before) {
        int last = used(before) - 1;
        long use = before - 1;
        if (place != last) {
            TrackedDisposable moved = slots.get(last);
            if (moved == null) {
                use = last + (place + 1) * GAP_UNIT;
            } else {
                slots.set(last, null);
                put(slots, moved, place);
            }
        }
        try {
            if (slots.isSparse(last)) {
                slots.shrink();
            }
        } finally {
            unlock(use);
        }
    }

    private void disposeMembers(boolean forGood) {
        Slots tracked = new Slots();
        long use = lock();
        tracked.swapWith(slots);
        IdentityTable untracked = others;
        for (int i = 0; i < used(use); i++) {
            TrackedDisposable member = tracked.get(i);
            if (member != null) {
                member.place = TrackedDisposable.NOWHERE;
            }
        }
        others = null;
        disposed |= forGood;
        unlock(disposed ? DISPOSED : 0);
        for (int i = 0; i < used(use); i++) {
            TrackedDisposable member = tracked.get(i);
            if (member != null) {
                member.dispose();
            }
        }
        if (untracked != null) {
            untracked.forEach(Disposable::dispose);
        }
    }

    private long lock() {
        long seen = (long) LOCK.getAndSet(this, HELD);
        return seen == HELD ? lockSlowly() : seen;
    }

    private long lockSlowly() {
        for (int spins = 1; ; spins++) {
            if ((long) LOCK.getOpaque(this) != HELD) {
                long seen = (long) LOCK.getAndSet(this, HELD);
                if (seen != HELD) {
                    return seen;
                }
            }
            if (spins % SPINS == 0) {
                LockSupport.parkNanos(this, REST_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private void unlock(long use) {
        LOCK.setRelease(this, use);
    }
}
