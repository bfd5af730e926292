package io.millrace.streams.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A set of disposables that are disposed together; adding and removing take constant time.
 *
 * <p>Once it is disposed, what is added is disposed at once. Members are told apart by identity. A member that is a
 * {@link TrackedDisposable} takes a slot and knows which. Any other member goes to a table.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> the slots, the places of those in them and the table, under a lock of one word, which
 * is taken by an exchange and given back by a write with release, as it is
 * held for a few instructions only; members are disposed outside it. <b>States:</b> open -> disposed, once.
 * <b>Proved by:</b> DisposablesTest.
 */
public final class CompositeDisposable implements Disposable {
    private static final int HELD = -1;
    private static final int SPINS = 100;
    private static final long REST_NANOS = 50_000;
    private static final VarHandle LOCK;

    static {
        try {
            LOCK = MethodHandles.lookup().findVarHandle(CompositeDisposable.class, "lock", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Slots slots = new Slots();
    private @Nullable IdentityTable others;
    private volatile boolean disposed;

    /** {@link #HELD}, or where the slots have a gap. */
    @SuppressWarnings("UnusedVariable") // used through its handle
    private int lock = Slots.NO_GAP;

    /** An empty set. */
    public CompositeDisposable() {}

    /** Adds one; false when the set is disposed, and then it was disposed instead. */
    public boolean add(Disposable member) {
        Slots row = slots; // read ahead, as nothing is before the exchange is done
        int gap = lock();
        boolean open = !disposed;
        try {
            if (open && isForSlot(member)) {
                row.add((TrackedDisposable) member, gap);
                gap = Slots.NO_GAP;
            } else if (open) {
                addToOthers(member);
            }
        } finally {
            unlock(gap);
        }
        if (!open) {
            member.dispose();
        }
        return open;
    }

    private boolean isForSlot(Disposable member) {
        return member instanceof TrackedDisposable tracked
                && tracked.place == TrackedDisposable.NOWHERE
                && (others == null || !others.contains(member));
    }

    private void addToOthers(Disposable member) {
        if (member instanceof TrackedDisposable tracked && slots.holds(tracked)) {
            return;
        }
        if (others == null) {
            others = new IdentityTable();
        }
        others.add(member);
    }

    /** Takes one out without disposing it; false when it was not there. */
    public boolean remove(Disposable member) {
        Slots row = slots; // as above
        int gap = lock();
        if (member instanceof TrackedDisposable tracked) {
            int left = row.remove(tracked, gap);
            if (left != Slots.NOT_HERE) {
                unlock(left);
                return true;
            }
        }
        boolean was = others != null && others.remove(member);
        unlock(gap);
        return was;
    }

    /** How many members it has. */
    public int size() {
        int gap = lock();
        int size = slots.count(gap) + (others == null ? 0 : others.size());
        unlock(gap);
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

    private void disposeMembers(boolean forGood) {
        Slots taken = new Slots();
        lock();
        slots.moveTo(taken);
        IdentityTable untracked = others;
        others = null;
        disposed |= forGood;
        taken.forEach(member -> member.place = TrackedDisposable.NOWHERE);
        unlock(Slots.NO_GAP);
        taken.forEach(Disposable::dispose);
        if (untracked != null) {
            untracked.forEach(Disposable::dispose);
        }
    }

    private int lock() {
        int gap = (int) LOCK.getAndSet(this, HELD);
        return gap == HELD ? lockSlowly() : gap;
    }

    private int lockSlowly() {
        for (int spins = 1; ; spins++) {
            if ((int) LOCK.getOpaque(this) != HELD) {
                int gap = (int) LOCK.getAndSet(this, HELD);
                if (gap != HELD) {
                    return gap;
                }
            }
            if (spins % SPINS == 0) {
                LockSupport.parkNanos(this, REST_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private void unlock(int gap) {
        LOCK.setRelease(this, gap);
    }
}
