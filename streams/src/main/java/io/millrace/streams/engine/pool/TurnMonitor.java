package io.millrace.streams.engine.pool;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One thread that checks the turns of a runtime once a millisecond, as Go's sysmon does. It asks a turn that lasts to yield, does
 * the work that a running turn has postponed, has loops that last look for themselves ({@link LoopWatch}), and checks for starvation. So loops over elements need not read a clock. It parks while no
 * turn begins or ends, and checks now and then meanwhile if one lasts.
 *
 * <p><b>Threads</b>: any thread runs turns; the monitor, a daemon thread started with the first turn, checks them.<br>
 * <b>Owned</b>: {@code numbersSeen}, {@code loopsSeen}, {@code askedToYield}, {@code anyRuns}, {@code claimedNow}, {@code manyClaimedNanos}, by the monitor.<br>
 * <b>Shared</b>: {@code turns}: see there. {@code parked}: set by the monitor, which then checks once more, and read by who
 * begins a turn after that turn can be seen. So one of the two sees the other. {@code thread}: under the lock. {@code closed}, {@code failed}: written under
 * the lock, read without it, too.<br>
 * <b>States</b>: parked at first; parked -> checking by who begins a turn; checking -> parked when nothing has changed for some
 * checks; parked -> ended when closed.<br>
 * <b>Proved by</b>: LongTurnTest, TurnMonitorTest, WorkerPoolTest.
 */
final class TurnMonitor {
    private static final long CHECK_INTERVAL_NANOS = 1_000_000;
    private static final int MAX_QUIET_CHECKS = 4;
    /** How long it parks at most while a turn lasts: what came too late for the check before has its effect then. */
    private static final long LASTING_NANOS = 50_000_000;
    /** How long few turns are claimed before the table of them gets shorter. */
    private static final long FEW_CLAIMED_NANOS = 250_000_000;

    private final String name;
    private final BooleanSupplier starvationCheck;
    private final Object lock = new Object();
    private final TurnTable turns;
    private volatile boolean parked = true;
    private volatile boolean closed;
    private volatile boolean failed;
    private @Nullable Thread thread;
    private int[] numbersSeen = {};
    private int[] loopsSeen = {};
    private boolean[] askedToYield = {};
    private boolean anyRuns;
    private int claimedNow;
    private long manyClaimedNanos = System.nanoTime();

    /**
     * @param name of the runtime
     * @param ofWorkers the turns of the workers, one for each
     * @param starvationCheck called with each check; whether to call it again soon
     */
    TurnMonitor(String name, Turn[] ofWorkers, BooleanSupplier starvationCheck) {
        this.name = name;
        this.turns = new TurnTable(ofWorkers);
        this.starvationCheck = starvationCheck;
    }

    // ------------------------------------------------------------------------------------------- who runs tasks

    TurnTable turns() {
        return turns;
    }

    /** Begins to run a task in a worker's own turn. */
    void begin(Turn turn, Runnable task) {
        turn.begin(task);
        wakeIfParked();
    }

    /** Begins to run a task on a thread that has no turn of its own. */
    Turn claim() {
        Turn claimed = turns.claim();
        wakeIfParked();
        return claimed;
    }

    /** Has it check, as something has begun that it is to see; false if it could not be started. */
    boolean wakeIfParked() {
        if (parked) {
            wake();
        }
        return !failed;
    }

    private void wake() {
        synchronized (lock) {
            if (!parked || closed) {
                return;
            }
            parked = false;
            if (thread == null) {
                start();
            } else {
                LockSupport.unpark(thread);
            }
        }
    }

    private void start() {
        WatchThread made = new WatchThread(name + "-monitor", this::checkUntilClosed);
        thread = made;
        try {
            made.start();
        } catch (Throwable t) {
            failed = true;
            log().log(System.Logger.Level.ERROR, name + " could not start its monitor: long turns go on unasked", t);
        }
    }

    /** Ends the thread as soon as no turn changes any more. */
    void close() {
        synchronized (lock) {
            closed = true;
            LockSupport.unpark(thread);
        }
    }

    // ---------------------------------------------------------------------------------------------- the monitor

    private void checkUntilClosed() {
        int quietChecks = 0;
        while (quietChecks <= MAX_QUIET_CHECKS || park()) {
            quietChecks = check() ? 0 : quietChecks + 1;
            LockSupport.parkNanos(this, CHECK_INTERVAL_NANOS);
        }
    }

    /** Parks until a turn begins, or anything has changed while one lasts; false when closed. */
    private boolean park() {
        parked = true;
        while (parked && !closed) {
            if (check()) {
                parked = false;
            } else if (anyRuns || turns.isLarge()) {
                LockSupport.parkNanos(this, LASTING_NANOS);
            } else {
                LockSupport.park(this);
            }
        }
        return !closed;
    }

    /** Whether anything has changed since the last check. */
    boolean check() {
        Turn[] all = turns.all();
        if (numbersSeen.length < all.length) {
            numbersSeen = Arrays.copyOf(numbersSeen, all.length);
            loopsSeen = Arrays.copyOf(loopsSeen, all.length);
            askedToYield = Arrays.copyOf(askedToYield, all.length);
        }
        boolean changed = false;
        anyRuns = false;
        claimedNow = 0;
        try {
            for (int i = 0; i < all.length; i++) {
                changed |= check(all[i], i);
            }
            if (turns.isLarge()) {
                halveIfFewAreClaimed();
            }
            changed |= starvationCheck.getAsBoolean();
        } catch (Throwable t) {
            log().log(System.Logger.Level.ERROR, name + "-monitor failed, and goes on", t);
        }
        return changed;
    }

    private void halveIfFewAreClaimed() {
        long now = System.nanoTime();
        if (claimedNow > turns.claimableCount() / 4) {
            manyClaimedNanos = now;
        } else if (now - manyClaimedNanos > FEW_CLAIMED_NANOS) {
            manyClaimedNanos = now;
            turns.halve();
            numbersSeen = new int[0]; // turns have other places now
        }
    }

    private boolean check(Turn turn, int index) {
        int number = turn.number();
        boolean isSame = number == numbersSeen[index];
        numbersSeen[index] = number;
        if (!turns.isOfWorker(index) && (!isSame || turn.isRunning())) {
            claimedNow++;
        }
        if (!turn.isRunning()) {
            askedToYield[index] = false;
            return !isSame;
        }
        anyRuns = true;
        boolean isNews = !isSame || !askedToYield[index];
        askedToYield[index] = isSame;
        int loop = turn.loop();
        boolean isSameLoop = loop == loopsSeen[index];
        loopsSeen[index] = loop;
        if (isSame) {
            turn.askToYield();
            if (isSameLoop) {
                turn.watchLoops();
            }
        }
        turn.performPostponed();
        return isNews;
    }

    /** Looked up when it is needed: the first look takes milliseconds of a start. */
    private static System.Logger log() {
        return System.getLogger(TurnMonitor.class.getName());
    }
}
