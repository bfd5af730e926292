package io.millrace.benchmarks.process;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Steps that run beside each other, so many at once. */
final class Concurrently {
    private Concurrently() {}

    /** Starts step 0 to {@code count - 1} and waits for all; throws the failure of one, or after two minutes. */
    static void forEach(int count, int atOnce, IntFunction<CompletionStage<?>> step) throws Exception {
        Semaphore room = new Semaphore(atOnce);
        CompletableFuture<?>[] steps = new CompletableFuture<?>[count];
        for (int i = 0; i < count; i++) {
            room.acquire();
            steps[i] = step.apply(i).toCompletableFuture().whenComplete((done, failure) -> room.release());
        }
        CompletableFuture.allOf(steps).get(2, TimeUnit.MINUTES);
    }
}
