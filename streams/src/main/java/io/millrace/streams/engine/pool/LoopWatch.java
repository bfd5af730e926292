package io.millrace.streams.engine.pool;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;

/**
 * Whether the loops of one class look at their turn before each element. That is a constant of the compiled code, so that a loop that does not look pays nothing; it is changed from
 * outside, and the virtual machine drops the code that was compiled with it, also under a call that has not returned. They do not look at first, and begin to when {@link
 * TurnMonitor} has seen one of them last. After many loops that it did not see last they stop again, so that a thread that was kept
 * from running by others costs the class its speed for a moment only; each time it takes twice as many, and in the end they look for ever.
 *
 * <p><b>Threads</b>: any thread counts loops; the monitors of all runtimes turn it on.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: the call site's target, {@code loopsUntilOff}: under the lock; compiled code and loops read the target as a constant. {@code on}, {@code loops}: plain, as a number that is
 * wrong by some loops will do.<br>
 * <b>Proved by</b>: LoopWatchTest, LongTurnTest.
 */
public final class LoopWatch {
    static final int FIRST_LOOPS = 1 << 10;
    /** So many are counted at once, as all threads count in one place. */
    static final int COUNTED_AT_ONCE = 1 << 8;
    /** Each change has the class compiled again, and a virtual machine does not do that without end. */
    static final int MOST_LOOPS = 1 << 24;

    private static final MethodHandle YES = MethodHandles.constant(boolean.class, true);
    private static final MethodHandle NO = MethodHandles.constant(boolean.class, false);

    private final MutableCallSite off = new MutableCallSite(YES);
    private int loopsUntilOff = FIRST_LOOPS;
    private int loops;
    private boolean on;

    /** Tells, with no arguments, whether loops need not look; to be kept in a constant of their class. */
    public MethodHandle isOff() {
        return off.dynamicInvoker();
    }

    boolean isOn() {
        return on;
    }

    /** Loops have begun that look: {@link #COUNTED_AT_ONCE}. */
    void count() {
        loops += COUNTED_AT_ONCE;
        if (loops >= loopsUntilOff) {
            turnOff();
        }
    }

    /** One of the loops lasts. */
    synchronized void turnOn() {
        loops = 0;
        if (!on) {
            set(NO);
            on = true;
        }
    }

    private synchronized void turnOff() {
        if (on && loopsUntilOff < MOST_LOOPS) {
            on = false;
            loopsUntilOff *= 2;
            set(YES);
        }
    }

    private void set(MethodHandle answer) {
        off.setTarget(answer);
        MutableCallSite.syncAll(new MutableCallSite[] {off});
    }
}
