package io.millrace.testkit;

import io.millrace.streams.RuntimeSnapshot;
import io.millrace.streams.StreamRuntime;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Checks that streams have come to their end: what still runs when a test is over is a leak. */
public final class StreamLeakCheck {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private StreamLeakCheck() {}

    /** Waits up to ten seconds for every stream of the runtime to end; fails with what still runs. */
    public static void assertNoStreams(StreamRuntime runtime) {
        assertNoStreams(runtime, Duration.ofSeconds(10));
    }

    /** Waits for every stream of the runtime to end; fails with what still runs. */
    public static void assertNoStreams(StreamRuntime runtime, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        RuntimeSnapshot running = runtime.snapshot();
        while (!running.streams().isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("streams still run after " + atMost + ": " + running.streams());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            running = runtime.snapshot();
        }
    }
}
