package io.millrace.streams.engine.island;

import io.millrace.streams.engine.pool.WatchThread;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.schedule.Durations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * How the streams of a runtime end when it is closed: they are told, and waited for as long as the settings say. A quarter of that time is for what is under way; then
 * the runtime's threads that are still busy with a call of the user's are interrupted; at half of it all futures fail, and the rest is for what is being closed.
 *
 * <p>Who closes keeps the time itself, unless stages might end on its own thread, or it runs one. Then another thread does, which interrupts it, too, while it ends a
 * stream. Of streams that hold it up one after the other, each may do so for a quarter of what is left of the first half, but a millisecond at least: so many of them have an end in time, too.
 *
 * <p><b>Threads</b>: one closes; one keeps the time, the same or another; any wait.<br>
 * <b>Owned</b>: {@code steps}, by who keeps the time.<br>
 * <b>Shared</b>: {@code waking}: see there. {@code streams}: written by who closes, before the time is kept, and by who has
 * kept it. {@code isReported}: atomic. {@code closer}, {@code keeper}: written by who closes; read by who would wait, which asks whether it is that itself.<br>
 * <b>States</b>: the streams run -> have ended, or were given up; the threads run -> are told to end.<br>
 * <b>Proved by</b>: StuckStagesTest, InPlaceClosingTest.
 */
final class Closing {
    /** When each step is due, in quarters of the timeout. */
    private static final int[] DUE_QUARTERS = {1, 2, 4};

    private static final int INTERRUPT = 0;
    private static final int ABANDON = 1;
    private static final int REPORT = 2;
    /** For so long at least a stream may hold up who closes before that is interrupted. */
    private static final long LEAST_PATIENCE_NANOS = 1_000_000;

    private static final int MOST_DOUBLINGS = 20;

    private final Engine engine;
    private final long startNanos = System.nanoTime();
    private final long timeoutNanos;
    private final Waking waking = new Waking();
    private final CountDownLatch streamsEnded = new CountDownLatch(1);
    private final CountDownLatch threadsTold = new CountDownLatch(1);
    private volatile List<StreamRun> streams = List.of();
    /** How many were taken. */
    private int steps;

    private final AtomicBoolean isReported = new AtomicBoolean();
    private volatile @Nullable Thread closer;
    private volatile @Nullable Thread keeper;

    Closing(Engine engine) {
        this.engine = engine;
        this.timeoutNanos = Durations.nanos(engine.settings().closeTimeout());
    }

    /** Waits for it, unless that would wait for this thread. */
    void await() {
        Thread here = Thread.currentThread();
        if (Interpreter.isRunningHere() || closer == here || keeper == here) {
            return;
        }
        long deadline = System.nanoTime() + timeoutNanos;
        try {
            boolean unused = streamsEnded.await(left(deadline), TimeUnit.NANOSECONDS)
                    && threadsTold.await(left(deadline), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            here.interrupt();
        }
    }

    private static long left(long deadlineNanos) {
        return Math.max(0, deadlineNanos - System.nanoTime());
    }

    /** The threads of the runtime have been told to end. */
    void threadsTold() {
        threadsTold.countDown();
    }

    /** Ends these streams by force, and waits for them, unless this thread runs one. */
    void end(List<StreamRun> unfinished) {
        streams = unfinished;
        List<StreamRun> marked =
                unfinished.stream().filter(StreamRun::markClosed).toList();
        boolean mayWait = !Interpreter.isRunningHere();
        boolean isKept = (!mayWait || marked.stream().anyMatch(StreamRun::mightRunInPlace)) && startKeeper();
        closer = mayWait ? Thread.currentThread() : null;
        waking.wakeAll(marked); // once all know, as one may be told of another's end
        if (isKept && mayWait) {
            awaitKeeper(unfinished);
        } else if (mayWait) {
            keepTime();
        } else if (!isKept) {
            unfinished.forEach(StreamRun::abandon); // as nobody keeps the time
            letGo();
        }
    }

    private boolean startKeeper() {
        WatchThread made = new WatchThread(engine.settings().name() + "-closing", this::keepTime);
        keeper = made;
        try {
            made.start();
            return true;
        } catch (Throwable t) {
            System.Logger log =
                    System.getLogger("io.millrace.streams"); // the first look takes milliseconds of a closing
            log.log(
                    System.Logger.Level.ERROR,
                    engine.settings().name()
                            + " could not start the thread that keeps the time of its closing: a stage may hold that up",
                    t);
            return false;
        }
    }

    private void awaitKeeper(List<StreamRun> unfinished) {
        try {
            if (!streamsEnded.await(left(due(REPORT)), TimeUnit.NANOSECONDS)) {
                unfinished.forEach(
                        StreamRun::abandon); // the other one may be held up by who is told that a future has failed
            }
            reportStuck(unfinished);
        } catch (InterruptedException e) {
            giveUp(unfinished);
        }
    }

    private void keepTime() {
        try {
            watchWaking();
            while (steps < DUE_QUARTERS.length && !areFinished(due(steps))) {
                takeStep();
            }
        } catch (InterruptedException e) {
            giveUp(streams);
        } finally {
            letGo();
        }
    }

    private void letGo() {
        streams = List.of(); // a closed runtime keeps nothing of them
        streamsEnded.countDown();
    }

    private void giveUp(List<StreamRun> unfinished) {
        Thread.currentThread().interrupt();
        engine.interrupt();
        unfinished.forEach(StreamRun::abandon);
    }

    private long due(int step) {
        return startNanos + timeoutNanos / 4 * DUE_QUARTERS[step];
    }

    private boolean areFinished(long deadlineNanos) throws InterruptedException {
        for (StreamRun stream : streams) {
            if (!stream.awaitFinished(Duration.ofNanos(left(deadlineNanos)))) {
                return false;
            }
        }
        return true;
    }

    /** While stages may end on the thread that closes. */
    private void watchWaking() throws InterruptedException {
        if (waking.awaitOver(left(due(INTERRUPT)))) {
            return;
        }
        takeStep();
        StreamRun seen = waking.current();
        waking.interrupt(seen);
        int interrupts = 1;
        while (!waking.isOver()) {
            StreamRun next = waking.awaitAnother(seen, patienceNanos(interrupts));
            takeStepsThatAreDue();
            if (next == seen) {
                waking.interrupt(seen);
                interrupts++;
            } else {
                seen = next;
                interrupts = 0;
            }
        }
    }

    /** Longer after each interrupt in vain, so that nobody is kept busy by a stage that heeds none. */
    private long patienceNanos(int interrupts) {
        long least = LEAST_PATIENCE_NANOS << Math.min(interrupts, MOST_DOUBLINGS);
        long patience = Math.max(least, left(due(ABANDON)) / 4);
        return steps < DUE_QUARTERS.length ? Math.min(patience, left(due(steps))) : patience;
    }

    private void takeStepsThatAreDue() {
        while (steps < DUE_QUARTERS.length && left(due(steps)) == 0) {
            takeStep();
        }
    }

    private void takeStep() {
        switch (steps++) {
            case INTERRUPT -> engine.interrupt();
            case ABANDON -> streams.forEach(StreamRun::abandon);
            default -> {
                if (!isReportedByCloser()) {
                    reportStuck(streams);
                }
            }
        }
    }

    /** Whether who closes waits for this thread, and reports itself: it may hold a lock that the failure reporter takes. */
    private boolean isReportedByCloser() {
        Thread closing = closer;
        return closing != null && closing != Thread.currentThread() && waking.isOver();
    }

    private void reportStuck(List<StreamRun> unfinished) {
        if (isReported.compareAndSet(false, true)) {
            StreamRun current = waking.current();
            unfinished.stream().filter(stream -> !stream.isFinished()).forEach(stream -> report(stream, current));
        }
    }

    private void report(StreamRun stream, @Nullable StreamRun current) {
        String why = current == null || current == stream
                ? "a stage is stuck in a call that does not heed interrupts"
                : "it ends on the thread that closes the runtime, which is stuck in the end of stream "
                        + current.name();
        engine.report(new StreamException(
                "stream " + stream.name() + " has not ended within "
                        + engine.settings().closeTimeout() + " of closing its runtime: " + why,
                new IllegalStateException(stream.snapshot().toString())));
    }
}
