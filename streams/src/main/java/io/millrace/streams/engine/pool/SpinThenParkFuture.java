package io.millrace.streams.engine.pool;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A future whose waiters spin for a while before they park: many streams end sooner than a thread parks and is unparked. As with workers, they
 * spin for longer if that has paid lately. Who waits for a stream that has not begun yet runs it himself.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code deferred}: set by who gives the future out. {@code spinRounds}, by all futures of the process, for each is awaited once and learns nothing for itself. It is read and written without
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

    private @Nullable DeferredTask deferred;

    public SpinThenParkFuture() {}

    /** One that depends on another, and for which the same task is run. */
    private SpinThenParkFuture(DeferredTask deferred) {
        this.deferred = deferred;
    }

    /** What has to run before this is complete, if the run is kept for the thread that waits for it. */
    public DeferredTask deferred() {
        DeferredTask own = deferred;
        if (own == null) {
            own = new DeferredTask();
            deferred = own;
        }
        return own;
    }

    /** Who depends on it rather than waits has the task run elsewhere at once. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        if (isDone()) {
            return new SpinThenParkFuture<>();
        }
        DeferredTask own = deferred();
        own.submit();
        return new SpinThenParkFuture<>(own);
    }

    private void help() {
        DeferredTask own = deferred;
        if (own != null) {
            own.help(this);
        }
    }

    @Override
    public T join() {
        help();
        long parkedAtNanos = spin();
        try {
            return super.join();
        } finally {
            adapt(parkedAtNanos);
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        help();
        long parkedAtNanos = spin();
        try {
            return super.get();
        } finally {
            adapt(parkedAtNanos);
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (deferred != null) {
            deferred.submit(); // a function may take longer than this thread is to wait
        }
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
