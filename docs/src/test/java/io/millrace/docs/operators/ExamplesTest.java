package io.millrace.docs.operators;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** A runtime for the examples of one page, and ways to wait for what they give. */
abstract class ExamplesTest {
    final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void close() {
        runtime.close();
    }

    final <T> List<T> all(Source<T, ?> source) throws Exception {
        return await(source.runWith(Sink.seq(), runtime));
    }

    final Throwable failureOf(Source<?, ?> source) throws Exception {
        try {
            throw new AssertionError("completed with " + all(source));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
