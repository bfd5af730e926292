package io.millrace.streams.engine.island;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The queue of an island's signals, intrusive, with many producers and one consumer: posting allocates nothing (D. Vyukov,
 * "Intrusive MPSC node-based queue"). An island is its own mailbox, and a mailbox is itself the node that stands in for
 * the last signal taken, to save objects.
 *
 * <p><b>Threads</b>: any thread adds; the island polls.<br>
 * <b>Owned</b>: {@code tail}, by the island.<br>
 * <b>Shared</b>: {@code head}: producers by exchange; {@code nextSignal}: written once by the producer that followed,
 * read by the island, which clears it before the signal can be posted again. Between the two steps of a producer the queue is not empty, but yields nothing.<br>
 * <b>Proved by</b>: WakeUpStressTest.
 */
abstract class SignalQueue extends Signal {
    private static final VarHandle HEAD;
    private static final VarHandle NEXT_SIGNAL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(SignalQueue.class, "head", Signal.class);
            NEXT_SIGNAL = lookup.findVarHandle(Signal.class, "nextSignal", Signal.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile Signal head;
    private Signal tail = this;

    @SuppressWarnings("NullAway.Init") // set by its handle
    SignalQueue() {
        HEAD.set(this, this); // no fence: who hands the island on has one
    }

    /** Adds a signal, which is new or was taken. */
    final void add(Signal signal) {
        Signal previous = (Signal) HEAD.getAndSet(this, signal);
        previous.nextSignal = signal;
    }

    /** The oldest signal, or null when there is none or its producer is still between its two steps. */
    @Nullable
    final Signal poll() {
        Signal oldest = tail;
        Signal next = oldest.nextSignal;
        if (oldest == this) {
            if (next == null) {
                return null;
            }
            tail = next;
            oldest = next;
            next = next.nextSignal;
        }
        if (next == null) {
            next = replaceLast(oldest);
        }
        if (next == null) {
            return null;
        }
        tail = next;
        NEXT_SIGNAL.setOpaque(oldest, null); // or whoever keeps it would keep all that came after it
        return oldest;
    }

    /** Puts itself behind what looks like the last signal; gives what is behind that now, null while a producer is between its two steps. */
    private @Nullable Signal replaceLast(Signal last) {
        nextSignal = null;
        if (HEAD.compareAndSet(this, last, this)) { // so that it is the newest only where there is no signal
            return this;
        }
        return last.nextSignal;
    }

    /** Takes out the signals that came too late, so that none leads to the island or to others; called in the island. */
    final void forgetSignals() {
        Signal late = poll();
        while (late != null) {
            late = poll();
        }
    }

    /** The signal that was added last; the mailbox itself when there is none. */
    final Signal newest() {
        return head;
    }

    /** Whether no signal waits for its turn; called in the island. */
    final boolean hasNoSignals() {
        return tail == this && head == this;
    }

    @Override
    final void deliver() {
        throw new IllegalStateException("a mailbox was delivered as if it were a signal");
    }
}
