package io.millrace.streams.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * An intrusive multi-producer single-consumer queue of signals: posting allocates nothing (D. Vyukov, "Intrusive MPSC
 * node-based queue").
 *
 * <p><b>Threads</b>: any thread adds; the island polls.<br>
 * <b>Owned</b>: {@code tail}, by the island.<br>
 * <b>Shared</b>: {@code head}: producers by exchange; {@code nextSignal}: written once by the producer that followed,
 * read by the island. Between the two steps of a producer the queue is not empty, but yields nothing.<br>
 * <b>Proved by</b>: WakeUpStressTest.
 */
final class Mailbox {
    private static final VarHandle HEAD;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(Mailbox.class, "head", Signal.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Signal stub = new Stub();
    private volatile Signal head = stub;
    private Signal tail = stub;

    void add(Signal signal) {
        signal.nextSignal = null;
        Signal previous = (Signal) HEAD.getAndSet(this, signal);
        previous.nextSignal = signal;
    }

    /** The oldest signal, or null when there is none or its producer is still between its two steps. */
    @Nullable
    Signal poll() {
        Signal oldest = tail;
        Signal next = oldest.nextSignal;
        if (oldest == stub) {
            if (next == null) {
                return null;
            }
            tail = next;
            oldest = next;
            next = next.nextSignal;
        }
        if (next == null) {
            if (oldest != head) {
                return null;
            }
            add(stub);
            next = oldest.nextSignal;
            if (next == null) {
                return null;
            }
        }
        tail = next;
        return oldest;
    }

    boolean isEmpty() {
        return tail == stub && head == stub;
    }

    /** Stands in for the last signal taken. */
    private static final class Stub extends Signal {
        @Override
        void deliver() {
            throw new IllegalStateException("the stub of a mailbox was delivered");
        }
    }
}
