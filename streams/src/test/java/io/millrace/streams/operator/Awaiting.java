package io.millrace.streams.operator;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads do. */
public final class Awaiting {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Awaiting() {}

    /** Looks again and again, for up to ten seconds. */
    public static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("the condition did not come true within ten seconds");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
