package io.millrace.testkit;

import io.millrace.streams.StreamRuntime;
import io.millrace.streams.inspect.RuntimeSnapshot;
import io.millrace.streams.schedule.Durations;
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
        long deadline = System.nanoTime() + Durations.nanos(atMost);
        RuntimeSnapshot running = runtime.snapshot();
        while (!running.streams().isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("streams still run after " + atMost + ": " + running.streams());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            running = runtime.snapshot();
        }
    }

    /** Waits up to ten seconds for every stream, task and timer to end; fails with what is still there. */
    public static void assertNothingLeft(StreamRuntime runtime, TrackedScheduler scheduler) {
        assertNothingLeft(runtime, scheduler, Duration.ofSeconds(10));
    }

    /** Waits for every stream, task and timer to end; fails with what is still there. */
    public static void assertNothingLeft(StreamRuntime runtime, TrackedScheduler scheduler, Duration atMost) {
        assertNoStreams(runtime, atMost);
        long deadline = System.nanoTime() + Durations.nanos(atMost);
        while (!scheduler.liveTasks().isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("tasks or timers are left after " + atMost + ": " + scheduler.liveTasks());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
