package io.millrace.streams.engine.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.streams.Await;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpinThenParkFutureTest {
    private static final int ROUNDS = 2_000;

    private final SpinThenParkFuture<String> future = new SpinThenParkFuture<>();

    @Test
    void whoWaitsGetsTheValueHoweverLateItComes() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            SpinThenParkFuture<Integer> awaited = new SpinThenParkFuture<>();
            FutureTask<Integer> waiting = new FutureTask<>(round % 2 == 0 ? awaited::join : awaited::get);
            Thread waiter = new Thread(waiting, "waiter");
            waiter.start();
            for (int i = 0; i < round % 200; i++) {
                Thread.onSpinWait();
            }
            if (round % 100 == 0) {
                Await.until("the waiter sleeps", () -> waiter.getState() == Thread.State.WAITING);
            }
            awaited.complete(round);
            assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo(round);
        }
    }

    @Test
    void failuresComeAsFromAnyFuture() {
        IllegalStateException failure = new IllegalStateException("broken");
        future.completeExceptionally(failure);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(future::join)
                .withCause(failure);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(future::get)
                .withCause(failure);
    }

    @Test
    void theTimeOutHolds() {
        long before = System.nanoTime();
        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> future.get(20, TimeUnit.MILLISECONDS));
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    }

    @Test
    void whoWaitsCanBeInterrupted() throws Exception {
        FutureTask<String> waiting = new FutureTask<>(future::get);
        Thread waiter = new Thread(waiting, "waiter");
        waiter.start();
        waiter.interrupt();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
                .withCauseInstanceOf(InterruptedException.class);
    }
}
