package io.millrace.streams.engine;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.StreamException;
import io.millrace.testkit.StreamLeakCheck;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** A runtime for each test, which must have no stream left when the test is over. */
abstract class EngineTest {
    final List<StreamException> reported = new CopyOnWriteArrayList<>();
    final StreamRuntime runtime = StreamRuntime.create(settings().withFailureReporter(reported::add));

    RuntimeSettings settings() {
        return RuntimeSettings.defaults().withName("test").withThreads(2);
    }

    @AfterEach
    void nothingMayBeLeft() {
        if (!runtime.isClosed()) {
            StreamLeakCheck.assertNoStreams(runtime);
            runtime.close();
        }
    }

    static <T> T await(CompletionStage<T> stage) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("failed instead of completing", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("neither completed nor failed", e);
        }
    }

    static Throwable awaitFailure(CompletionStage<?> stage) throws InterruptedException {
        try {
            Object value = stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
            throw new AssertionError("completed with " + value + " instead of failing");
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError("neither completed nor failed", e);
        }
    }

    static void awaitUntil(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("the condition did not come true in 20 s");
            }
            LockSupport.parkNanos(100_000);
        }
    }
}
