package io.millrace.streams.engine;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks once a millisecond at the turns that run, and only while there are some: what they have put off it does in their place, one
 * that lasts it asks to yield, and it has the pool look after tasks that wait behind such a turn. As the thread that Go calls sysmon, it makes loops
 * that read no clock be heard and be fair all the same.
 *
 * <p><b>Threads</b>: any thread runs turns; one daemon thread, made with the first turn, looks.<br>
 * <b>Owned</b>: {@code seen}, {@code asked}, {@code quietLooks}, by the monitor's thread.<br>
 * <b>Shared</b>: {@code turns}: replaced under the lock by a longer copy. {@code asleep}: set by the monitor before it looks a last time, read by
 * who begins a turn after it is in, so that one of the two sees the other. {@code thread}, {@code closed}: under the lock, {@code closed} is
 * read without it, too.<br>
 * <b>States</b>: asleep at first; asleep -> looking by who begins a turn; looking -> asleep when nothing has changed for some looks;
 * -> ended when closed and nothing has changed.<br>
 * <b>Proved by</b>: LongTurnTest, WorkerPoolTest.
 */
final class TurnMonitor {
    private static final long LOOK_NANOS = 1_000_000;
    private static final int MAX_QUIET_LOOKS = 4;
    private static final int FIRST_CLAIMABLE = 8;
    private static final System.Logger LOG = System.getLogger(TurnMonitor.class.getName());

    private final String name;
    private final BooleanSupplier besides;
    private final Object lock = new Object();
    private volatile Turn[] turns;
    private volatile Turn[] claimable = {};
    private volatile boolean asleep = true;
    private volatile boolean closed;
    private @Nullable Thread thread;
    private int[] seen = {};
    private boolean[] asked = {};

    /**
     * @param name of the runtime
     * @param ofWorkers the turns of threads that run one after the other in the same
     * @param besides looks at what is to be looked at, too; whether it is to do so again soon
     */
    TurnMonitor(String name, Turn[] ofWorkers, BooleanSupplier besides) {
        this.name = name;
        this.turns = ofWorkers.clone();
        this.besides = besides;
    }

    /** Begins to run a task in a worker's own turn. */
    void begin(Turn turn, Runnable task) {
        turn.begin(task);
        wakeIfAsleep();
    }

    /** Begins to run a task on a thread that has no turn of its own. */
    Turn claim(Runnable task) {
        Turn free = claimFree(task);
        return free == null ? claimOfMore(task) : free;
    }

    private @Nullable Turn claimFree(Runnable task) {
        Turn[] all = claimable;
        int start = (int) Thread.currentThread().getId();
        for (int i = 0; i < all.length; i++) {
            Turn turn = all[(start + i) & (all.length - 1)];
            if (turn.claim(task)) {
                wakeIfAsleep();
                return turn;
            }
        }
        return null;
    }

    private Turn claimOfMore(Runnable task) {
        synchronized (lock) {
            Turn free = claimFree(task); // others that waited here may have made more of them
            if (free != null) {
                return free;
            }
            int before = claimable.length;
            Turn[] more = Arrays.copyOf(claimable, before == 0 ? FIRST_CLAIMABLE : before * 2);
            Turn[] all = Arrays.copyOf(turns, turns.length + more.length - before);
            for (int i = before; i < more.length; i++) {
                more[i] = new Turn();
                all[turns.length + i - before] = more[i];
            }
            Turn taken = more[before];
            taken.begin(task);
            turns = all;
            claimable = more;
            wakeIfAsleep();
            return taken;
        }
    }

    /** How many turns there are for threads that have none of their own. */
    int claimableCount() {
        return claimable.length;
    }

    /** Has it look, as something has begun that it is to see. */
    void wakeIfAsleep() {
        if (asleep) {
            wake();
        }
    }

    private void wake() {
        synchronized (lock) {
            if (!asleep || closed) {
                return;
            }
            asleep = false;
            if (thread == null) {
                start();
            } else {
                LockSupport.unpark(thread);
            }
        }
    }

    private void start() {
        Looking made = new Looking();
        thread = made;
        try {
            made.start();
        } catch (Throwable t) {
            LOG.log(System.Logger.Level.ERROR, name + " could not start its monitor: long turns go on unasked", t);
        }
    }

    /** Ends the thread as soon as no turn changes any more. */
    void close() {
        synchronized (lock) {
            closed = true;
            LockSupport.unpark(thread);
        }
    }

    /** Whether the calling thread is a monitor's, which must not run anybody's code. */
    static boolean isLookingHere() {
        return Thread.currentThread() instanceof Looking;
    }

    private final class Looking extends Thread {
        Looking() {
            super(name + "-monitor");
            setDaemon(true);
        }

        @Override
        public void run() {
            lookUntilClosed();
        }
    }

    private void lookUntilClosed() {
        int quietLooks = 0;
        while (quietLooks <= MAX_QUIET_LOOKS || sleep()) {
            quietLooks = look() ? 0 : quietLooks + 1;
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    /** Sleeps until a turn begins; false when closed. */
    private boolean sleep() {
        asleep = true;
        if (look()) {
            asleep = false;
            return true;
        }
        while (asleep && !closed) {
            LockSupport.park(this);
        }
        return !closed;
    }

    /** Whether anything has changed since the last look. */
    private boolean look() {
        Turn[] all = turns;
        if (seen.length < all.length) {
            seen = Arrays.copyOf(seen, all.length);
            asked = Arrays.copyOf(asked, all.length);
        }
        boolean changed = false;
        try {
            for (int i = 0; i < all.length; i++) {
                changed |= look(all[i], i);
            }
            changed |= besides.getAsBoolean();
        } catch (Throwable t) {
            LOG.log(System.Logger.Level.ERROR, name + "-monitor failed, and goes on", t);
        }
        return changed;
    }

    private boolean look(Turn turn, int place) {
        int number = turn.number();
        boolean isSame = number == seen[place];
        seen[place] = number;
        if (!turn.isRunning()) {
            asked[place] = false;
            return !isSame;
        }
        boolean isNews = !isSame || !asked[place];
        asked[place] = isSame;
        if (isSame) {
            turn.askToYield();
        }
        turn.performPostponed();
        return isNews;
    }
}
