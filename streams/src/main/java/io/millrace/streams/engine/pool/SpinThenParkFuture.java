package io.millrace.streams.engine.pool;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future whose waiters spin for a while before they park: many streams end sooner than a thread parks and is unparked. As with workers, they
 * spin for longer if that has paid lately.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code spinRounds}, by all futures of the process, for each is awaited once and learns nothing for itself. It is read and written without
 * a fence, as any value between the two bounds will do.<br>
 * <b>States</b>: those of its parent.<br>
 * <b>Proved by</b>: SpinThenParkFutureTest.
 */
public final class SpinThenParkFuture<T> extends CompletableFuture<T> {
    private static final int MIN_ROUNDS = 8;
    /** Some 50 us; on one processor hardly any, as nobody can complete it meanwhile. */
    private static final int MAX_ROUNDS = Runtime.getRuntime().availableProcessors() > 1 ? 1000 : MIN_ROUNDS;

    private static final long SHORT_PARK_NANOS = 100_000;

    private static int spinRounds = MAX_ROUNDS;

    @Override
    public T join() {
        long parkedAtNanos = spin();
        try {
            return super.join();
        } finally {
            adapt(parkedAtNanos);
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        long parkedAtNanos = spin();
        try {
            return super.get();
        } finally {
            adapt(parkedAtNanos);
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        long parkedAtNanos = spin();
        try {
            return super.get(timeout, unit);
        } finally {
            adapt(parkedAtNanos);
        }
    }

    /** Waits without parking for a while; zero if it is complete, else the time at which to park. */
    private long spin() {
        int rounds = spinRounds;
        for (int i = 0; i < rounds; i++) {
            if (isDone()) {
                return 0;
            }
            Thread.onSpinWait();
        }
        return isDone() ? 0 : System.nanoTime() | 1;
    }

    /** Learns from a wait that parked at this time, if it did. */
    private static void adapt(long parkedAtNanos) {
        if (parkedAtNanos != 0) {
            spinRounds = System.nanoTime() - parkedAtNanos < SHORT_PARK_NANOS
                    ? Math.min(MAX_ROUNDS, spinRounds * 2)
                    : Math.max(MIN_ROUNDS, spinRounds / 2);
        }
    }
}
