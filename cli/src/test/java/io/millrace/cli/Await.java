package io.millrace.cli;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Polls a condition with a generous bound. */
final class Await {
    private static final long POLL_NANOS = 2_000_000;

    private Await() {}

    @FunctionalInterface
    interface Condition {
        boolean holds() throws Exception;
    }

    /** Returns once the condition holds, else fails with what {@code failure} says at the end of {@code limit}. */
    static void until(Duration limit, Condition condition, Supplier<String> failure) throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + limit + ": " + failure.get());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
