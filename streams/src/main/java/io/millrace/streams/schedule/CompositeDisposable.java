package io.millrace.streams.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A set of disposables that are disposed together; adding and removing take constant time.
 *
 * <p>Once it is disposed, what is added is disposed at once. Members are told apart by identity. A member that is a
 * {@link TrackedDisposable} is linked, any other goes to a table.
 *
 * <p><b>Threads:</b> any. <b>Shared:</b> the members and their links, under {@code locked}, a lock of one word that is
 * taken by an exchange and given back by a write with release, as it is held for a few instructions only; members
 * are disposed outside it. <b>States:</b> open -> disposed, once. <b>Proved by:</b> DisposablesTest.
 */
public final class CompositeDisposable implements Disposable {
    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int SPINS = 100;
    private static final long REST_NANOS = 50_000;
    private static final VarHandle LOCKED;

    static {
        try {
            LOCKED = MethodHandles.lookup().findVarHandle(CompositeDisposable.class, "locked", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private @Nullable LinkedDisposable first;
    private int linkedCount;
    private @Nullable IdentityTable others;
    private volatile boolean disposed;

    @SuppressWarnings("UnusedVariable") // used through its handle
    private int locked = FREE;

    /** An empty set. */
    public CompositeDisposable() {}

    /** Adds one; false when the set is disposed, and then it was disposed instead. */
    public boolean add(Disposable member) {
        lock();
        boolean open = !disposed;
        if (open && member instanceof TrackedDisposable tracked && tracked.owner == null) {
            link(tracked);
            unlock();
            return true;
        }
        try {
            if (open) {
                insert(member);
            }
        } finally {
            unlock();
        }
        if (!open) {
            member.dispose();
        }
        return open;
    }

    /** Takes one out without disposing it; false when it was not there. */
    public boolean remove(Disposable member) {
        lock();
        if (member instanceof TrackedDisposable tracked && tracked.owner == this) {
            unlink(tracked);
            unlock();
            return true;
        }
        try {
            return others != null && others.remove(member);
        } finally {
            unlock();
        }
    }

    /** How many members it has. */
    public int size() {
        lock();
        try {
            return count();
        } finally {
            unlock();
        }
    }

    /** Disposes the present members and stays open. */
    public void clear() {
        disposeAll(takeAll(false));
    }

    @Override
    public void dispose() {
        if (!disposed) {
            disposeAll(takeAll(true));
        }
    }

    @Override
    public boolean isDisposed() {
        return disposed;
    }

    private void link(TrackedDisposable member) {
        member.owner = this;
        LinkedDisposable next = first;
        member.after = next;
        if (next != null) {
            next.before = member;
        }
        first = member;
        linkedCount++;
    }

    private void unlink(TrackedDisposable member) {
        member.owner = null;
        LinkedDisposable previous = member.before;
        LinkedDisposable next = member.after;
        if (previous != null) {
            previous.after = next;
            member.before = null;
        } else {
            first = next;
        }
        if (next != null) {
            next.before = previous;
            member.after = null;
        }
        linkedCount--;
    }

    /** Puts what cannot be linked into the table; what is linked here already stays as it is. */
    private void insert(Disposable member) {
        if (member instanceof TrackedDisposable tracked && tracked.owner == this) {
            return;
        }
        if (others == null) {
            others = new IdentityTable();
        }
        others.add(member);
    }

    private int count() {
        return linkedCount + (others == null ? 0 : others.size());
    }

    private Disposable[] takeAll(boolean forGood) {
        lock();
        try {
            disposed |= forGood;
            Disposable[] taken = new Disposable[count()];
            int count = 0;
            for (LinkedDisposable member = first; member != null; member = first) {
                unlink((TrackedDisposable) member);
                taken[count++] = member;
            }
            if (others != null) {
                others.copyTo(taken, count);
                others = null;
            }
            return taken;
        } finally {
            unlock();
        }
    }

    private static void disposeAll(Disposable[] members) {
        for (Disposable member : members) {
            member.dispose();
        }
    }

    private void lock() {
        if ((int) LOCKED.getAndSet(this, HELD) != FREE) {
            lockSlowly();
        }
    }

    private void lockSlowly() {
        int spins = 0;
        while ((int) LOCKED.getOpaque(this) != FREE || (int) LOCKED.getAndSet(this, HELD) != FREE) {
            if (++spins % SPINS == 0) {
                LockSupport.parkNanos(this, REST_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private void unlock() {
        LOCKED.setRelease(this, FREE);
    }
}
