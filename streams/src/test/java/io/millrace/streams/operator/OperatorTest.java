package io.millrace.streams.operator;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.testkit.StreamLeakCheck;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;

/** A runtime for each test, which must have no stream left when the test is over. */
public abstract class OperatorTest {
    protected final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void nothingMayBeLeft() {
        nothingRuns();
        runtime.close();
    }

    /** Waits until all streams have ended. */
    protected final void nothingRuns() {
        StreamLeakCheck.assertNoStreams(runtime);
    }

    protected final <T> List<T> all(Source<T, ?> source) throws InterruptedException {
        return await(source.runWith(Sink.seq(), runtime));
    }

    protected final Throwable failureOf(Source<?, ?> source) throws InterruptedException {
        return failureOf(source.runWith(Sink.ignore(), runtime));
    }

    protected static <T> T await(CompletionStage<T> stage) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("failed instead of completing", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("neither completed nor failed", e);
        }
    }

    protected static Throwable failureOf(CompletionStage<?> stage) throws InterruptedException {
        try {
            throw new AssertionError(
                    "completed with " + stage.toCompletableFuture().get(20, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError("neither completed nor failed", e);
        }
    }
}
