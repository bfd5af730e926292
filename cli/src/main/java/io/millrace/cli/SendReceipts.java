package io.millrace.cli;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the receipts of a producer and keeps its first failure.
 *
 * <p><b>Threads</b>: the client's threads call {@link #settle}; any thread reads.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code stored} and {@code failure}, atomics written by the client's threads; each stands alone, nothing
 * is published through them.<br>
 * <b>States</b>: no failure -> failed, once, by the first compare-and-set.<br>
 * <b>Proved by</b>: MainJobIT.
 */
final class SendReceipts {
    private static final long POLL_NANOS = 2_000_000;

    private final AtomicLong stored = new AtomicLong();
    private final AtomicReference<@Nullable SendFailure> failure = new AtomicReference<>();

    /** A message that was given up by the client. */
    record SendFailure(long line, Throwable cause) {}

    void settle(long line, @Nullable Throwable cause) {
        if (cause == null) {
            stored.incrementAndGet();
        } else {
            failure.compareAndSet(null, new SendFailure(line, cause));
        }
    }

    long stored() {
        return stored.get();
    }

    @Nullable
    SendFailure failure() {
        return failure.get();
    }

    /** Waits until all that are sent have their receipt or one has failed, calling {@code meanwhile} now and then. */
    void await(LongSupplier sent, Runnable meanwhile) {
        while (stored() < sent.getAsLong() && failure() == null) {
            LockSupport.parkNanos(POLL_NANOS);
            meanwhile.run();
        }
    }
}
