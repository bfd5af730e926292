package io.millrace.streams.engine.island;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A reason to run an island: a node of its mailbox, in which it is at most once however often it is posted.
 *
 * <p><b>Threads</b>: any thread posts; the island takes it out, marks it idle, and only then delivers it.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code posted}: producers by compare-and-set, the island by a volatile write before it looks, for the
 * last time, at what the signal is about, so whoever fails to post knows that the island has yet to look; {@code nextSignal}: see
 * {@link SignalQueue}.<br>
 * <b>States</b>: IDLE -> POSTED by one producer; POSTED -> IDLE by the island.<br>
 * <b>Proved by</b>: WakeUpStressTest.
 */
abstract class Signal {
    private static final VarHandle POSTED;

    static {
        try {
            POSTED = MethodHandles.lookup().findVarHandle(Signal.class, "posted", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile boolean posted;

    volatile @Nullable Signal nextSignal;

    final boolean casPosted() {
        return !posted && POSTED.compareAndSet(this, false, true);
    }

    final void setIdle() {
        posted = false;
    }

    /** Takes the signal as it comes out of the mailbox; called in the island. */
    void taken() {
        setIdle();
        deliver();
    }

    /** Whether it is delivered only when the graph has come to rest or has had its share of events. */
    boolean waitsForRest() {
        return false;
    }

    /** Does what the signal is about; called in the island. */
    abstract void deliver();
}
