package io.millrace.streams.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future that a stream gives out: who waits for it looks for a while before sleeping, as many streams take less time than to be
 * put to sleep and woken. How long follows from whether it would have paid lately, as it does for the threads of a runtime: where
 * streams take longer, hardly at all.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code looks}, by all futures: read and written without care, as any value will do.<br>
 * <b>States</b>: those of its parent.<br>
 * <b>Proved by</b>: SpinThenParkFutureTest.
 */
final class SpinThenParkFuture<T> extends CompletableFuture<T> {
    private static final int LEAST_LOOKS = 8;
    /** Some 50 us, but on one processor hardly any, for there nobody completes it while it is looked at. */
    private static final int MOST_LOOKS = Runtime.getRuntime().availableProcessors() > 1 ? 1000 : LEAST_LOOKS;

    private static final long SHORT_SLEEP_NANOS = 100_000;

    private static int looks = MOST_LOOKS;

    @Override
    public T join() {
        long asleep = look();
        try {
            return super.join();
        } finally {
            adapt(asleep);
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        long asleep = look();
        try {
            return super.get();
        } finally {
            adapt(asleep);
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        long asleep = look();
        try {
            return super.get(timeout, unit);
        } finally {
            adapt(asleep);
        }
    }

    /** Waits without sleeping, if it is not for long; when that ended in vain, zero if it did not. */
    private long look() {
        int most = looks;
        for (int i = 0; i < most; i++) {
            if (isDone()) {
                return 0;
            }
            Thread.onSpinWait();
        }
        return isDone() ? 0 : System.nanoTime() | 1;
    }

    /** Learns from a wait that went on in sleep at this time. */
    private static void adapt(long asleep) {
        if (asleep != 0) {
            looks = System.nanoTime() - asleep < SHORT_SLEEP_NANOS
                    ? Math.min(MOST_LOOKS, looks * 2)
                    : Math.max(LEAST_LOOKS, looks / 2);
        }
    }
}
