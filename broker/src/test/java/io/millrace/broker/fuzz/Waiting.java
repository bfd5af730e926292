package io.millrace.broker.fuzz;

import io.millrace.broker.model.Line;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Reads a line until a frame of some kind comes. */
final class Waiting {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_NANOS = 20_000;
    /** A longer step is one in which the whole machine stood still, and the broker with it. */
    private static final long MAX_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Waiting() {}

    /** The next frame of that kind; null if the broker closes the connection before, a failure if nothing happens. */
    static Line.Frame on(Line line, String what, Predicate<Line.Frame> wanted) throws IOException {
        long before = System.nanoTime();
        for (long waited = 0; waited < PATIENCE_NANOS; ) {
            long now = System.nanoTime();
            waited += Math.min(now - before, MAX_STEP_NANOS);
            before = now;
            Line.Frame frame = line.poll();
            if (frame != null && wanted.test(frame)) {
                return frame;
            }
            if (frame == null && line.hasEnded()) {
                return null;
            }
            if (frame == null) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
        throw new AssertionError("not within 30 s: " + what);
    }
}
