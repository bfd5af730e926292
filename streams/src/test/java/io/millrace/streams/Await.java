package io.millrace.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what other threads do, with a generous bound. */
public final class Await {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final long POLL_NANOS = 200_000;

    private Await() {}

    /** Returns once the condition holds; fails when it does not come to hold. */
    public static void until(BooleanSupplier condition) {
        until("the condition", condition);
    }

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

    /** Returns once the latch is open; fails with what was awaited when it does not open. */
    public static void await(CountDownLatch latch, String what) throws InterruptedException {
        assertThat(latch.await(BOUND.toNanos(), TimeUnit.NANOSECONDS)).as(what).isTrue();
    }

    /** The value of the stage; fails with its failure as the cause, or when there is neither. */
    public static <T> T await(CompletionStage<T> stage) throws InterruptedException {
        return await(stage, BOUND);
    }

    /** The same with a bound of its own. */
    public static <T> T await(CompletionStage<T> stage, Duration bound) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("failed instead of completing: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("neither completed nor failed within " + bound, e);
        }
    }

    /** The failure of the stage; fails when it completes, or when there is neither. */
    public static Throwable awaitFailure(CompletionStage<?> stage) throws InterruptedException {
        try {
            Object value = stage.toCompletableFuture().get(BOUND.toNanos(), TimeUnit.NANOSECONDS);
            throw new AssertionError("completed with " + value + " instead of failing");
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError("neither completed nor failed within " + BOUND, e);
        }
    }
}
