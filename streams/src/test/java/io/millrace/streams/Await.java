package io.millrace.streams;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition, with a generous bound. */
public final class Await {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final long POLL_NANOS = 200_000;

    private Await() {}

    /** Returns once the condition holds; fails with what was awaited when it does not come to hold. */
    public static void until(String what, BooleanSupplier condition) {
        until(() -> what, condition);
    }

    static void until(Supplier<String> what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + BOUND + ": " + what.get());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
