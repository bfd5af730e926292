package io.millrace.streams.engine.island;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The runs that have not finished: a list by links in the runs, as a set would keep more for each than some streams do
 * altogether. Besides, how many are known to be about to begin.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: everything, guarded by this, for a few steps at a time.<br>
 * <b>States</b>: a run is in it from its start until it has finished, but for the time for which its only island is deferred; many a run has
 * finished by then.<br>
 * <b>Proved by</b>: LifecycleTest.
 */
final class RunningStreams {
    private @Nullable StreamRun youngest;
    private int expected;
    private int expectedEver;

    /** Another one is about to begin, beside the streams that run. */
    synchronized void expect() {
        expected++;
        expectedEver++;
    }

    /** One of these has begun, and is in it, or will not begin. */
    synchronized void expectNoMore() {
        expected--;
        notifyAll();
    }

    /** How many there were that were about to begin. */
    synchronized int expectedEver() {
        return expectedEver;
    }

    /** Waits until none is about to begin, or it is given up; whether none is. */
    synchronized boolean awaitExpected(long deadlineNanos, BooleanSupplier isGivenUp) throws InterruptedException {
        while (expected > 0) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            if (leftMillis <= 0 || isGivenUp.getAsBoolean()) {
                return false;
            }
            wait(leftMillis);
        }
        return true;
    }

    /** Has those who wait ask whether it is given up. */
    synchronized void tellWhoWaits() {
        notifyAll();
    }

    /** Adds it, unless it is there or has finished. */
    synchronized void add(StreamRun run) {
        if (!run.markRegistered()) {
            return;
        }
        StreamRun next = youngest;
        run.nextRun = next;
        if (next != null) {
            next.previousRun = run;
        }
        youngest = run;
    }

    synchronized void remove(StreamRun run) {
        StreamRun previous = run.previousRun;
        StreamRun next = run.nextRun;
        if (previous != null) {
            previous.nextRun = next;
        } else if (youngest == run) {
            youngest = next;
        }
        if (next != null) {
            next.previousRun = previous;
        }
        run.previousRun = null;
        run.nextRun = null;
    }

    /** Those that are in it now, the youngest first. */
    synchronized List<StreamRun> all() {
        List<StreamRun> all = new ArrayList<>();
        for (StreamRun run = youngest; run != null; run = run.nextRun) {
            all.add(run);
        }
        return all;
    }
}
