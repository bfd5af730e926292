package io.millrace.streams.engine.island;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far a thread is that wakes the streams of a runtime which it closes. Where an executor runs in place, or takes no more, stages end on that thread, and may hold it
 * up; another thread interrupts it there, and nowhere else.
 *
 * <p><b>Threads</b>: that thread, and the one that watches it.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: all fields but {@code thread}, guarded by this.<br>
 * <b>States</b>: before or between streams -> in one -> between them -> over.<br>
 * <b>Proved by</b>: InPlaceClosingTest.
 */
final class Waking {
    private final Thread thread = Thread.currentThread();
    private @Nullable StreamRun current;
    private boolean isInterrupted;
    private boolean isOver;

    /** Wakes them, one after the other; by the thread that has made this. */
    void wakeAll(List<StreamRun> streams) {
        try {
            for (StreamRun stream : streams) {
                begin(stream);
                stream.wakeAll();
                end();
            }
        } finally {
            end();
            finish();
        }
    }

    private synchronized void begin(StreamRun stream) {
        current = stream;
        notifyAll();
    }

    /** The interrupt that was for the stages of the stream is seen by nobody else. */
    private synchronized void end() {
        current = null;
        if (isInterrupted) {
            isInterrupted = false;
            boolean unused = Thread.interrupted();
        }
    }

    private synchronized void finish() {
        isOver = true;
        notifyAll();
    }

    synchronized boolean isOver() {
        return isOver;
    }

    /** The stream that is being woken, if one is. */
    synchronized @Nullable StreamRun current() {
        return current;
    }

    /** Waits until all are woken; whether they are. */
    synchronized boolean awaitOver(long atMostNanos) throws InterruptedException {
        await(() -> isOver, atMostNanos);
        return isOver;
    }

    /** Waits until another one is woken than this one, or all are; gives the one that is. */
    synchronized @Nullable StreamRun awaitAnother(@Nullable StreamRun seen, long atMostNanos)
            throws InterruptedException {
        await(() -> isOver || (current != null && current != seen), atMostNanos);
        return current;
    }

    private void await(BooleanSupplier isReached, long atMostNanos) throws InterruptedException {
        long deadline = System.nanoTime() + atMostNanos;
        long left = atMostNanos;
        while (!isReached.getAsBoolean() && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = deadline - System.nanoTime();
        }
    }

    /** Interrupts the thread if it still wakes this one, unless it has been interrupted and has not noticed yet. */
    synchronized void interrupt(@Nullable StreamRun stream) {
        if (current != null && current == stream && !thread.isInterrupted()) {
            isInterrupted = true;
            thread.interrupt();
        }
    }
}
