package io.millrace.broker.protocol;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A part of {@link PublishMemory}: the bytes of messages, of all connections together, that are counted there until they
 * have their receipts. At the limit connections that publish such messages wait until half of it is free.
 *
 * <p><b>Threads</b>: the event loops. <br><b>Shared</b>: {@code pendingBytes}, atomic; {@code waiting}, a concurrent
 * queue. A connection that waits enters the queue before it checks again, and bytes are given back before the queue is
 * checked: so either the one sees the room or the other sees the entry in the queue. <br><b>States</b> of a waiting
 * connection: queued -> woken once, by the thread that finds half of it free. <br><b>Proved by</b>: PublishShareTest,
 * FloodTest.
 */
final class PublishShare {
    private final long maxBytes;
    private final ReadGate.Reason reason;
    private final AtomicLong pendingBytes = new AtomicLong();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /** The reason is that of connections which wait for room in it. */
    PublishShare(long maxBytes, ReadGate.Reason reason) {
        this.maxBytes = maxBytes;
        this.reason = reason;
    }

    /** Counts messages that were passed to their topic; returns whether more may follow at once. */
    boolean take(long bytes) {
        return pendingBytes.addAndGet(bytes) < maxBytes;
    }

    ReadGate.Reason reason() {
        return reason;
    }

    /** Runs the task, once and on any thread, when there is room. */
    void whenRoom(Runnable resume) {
        waiting.add(resume);
        if (hasRoom()) {
            wake();
        }
    }

    /** Messages of this many bytes have their answers. */
    void giveBack(long bytes) {
        pendingBytes.addAndGet(-bytes);
        if (hasRoom()) {
            wake();
        }
    }

    long pendingBytes() {
        return pendingBytes.get();
    }

    private boolean hasRoom() {
        return pendingBytes.get() <= maxBytes / 2;
    }

    private void wake() {
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }
}
