package io.millrace.streams.operator.failures;

import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.testkit.Operator;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A failure that is one object for many streams, as a constant is, does not grow with them. */
class SharedFailuresTest {
    private static final int RUNS = 500;
    private static final int MOST = 100;

    private final StreamRuntime runtime = StreamRuntime.create(
            RuntimeSettings.defaults().withExecutor(Runnable::run).withFailureReporter(report -> {}));
    private final IllegalStateException shared = new IllegalStateException("shared");
    private final IllegalStateException another = new IllegalStateException("another");

    @AfterEach
    void close() {
        runtime.close();
    }

    private static Stream<IllegalStateException> fresh() {
        return IntStream.range(0, RUNS).mapToObj(n -> new IllegalStateException("number " + n));
    }

    private void assertFailsWithShared(Source<Integer, ?> source) {
        try {
            assertThat(awaitFailure(source.runWith(Sink.ignore(), runtime))).isSameAs(shared);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Source<Integer, ?> merged(Throwable second) {
        return Source.<Integer>failed(shared).mergeDelayError(Source.failed(second));
    }

    private Source<Integer, ?> cleanedUp(Throwable ofCleanup) {
        return Source.usingWhen(
                () -> CompletableFuture.completedFuture(1),
                n -> Source.<Integer>failed(shared),
                (n, outcome) -> CompletableFuture.failedFuture(ofCleanup));
    }

    private Source<Integer, ?> supervised(IllegalStateException thrown) {
        return Source.single(1)
                .map(n -> {
                    if (n == 1) {
                        throw thrown;
                    }
                    return n;
                })
                .withAttributes(Attributes.supervision(failure -> {
                    throw shared;
                }));
    }

    @Test
    @Operator({"mergeDelayError", "concatDelayError"})
    void whatFailsLaterIsAddedOnceAndNotWithoutABound() {
        assertFailsWithShared(merged(another));
        assertFailsWithShared(merged(another));
        assertFailsWithShared(merged(shared));
        assertFailsWithShared(Source.<Integer>failed(shared).concatDelayError(Source.failed(another)));
        assertFailsWithShared(Source.<Integer>failed(shared).concatDelayError(Source.failed(shared)));
        assertThat(shared.getSuppressed()).containsExactly(another);
        fresh().forEach(failure -> assertFailsWithShared(merged(failure)));
        assertThat(shared.getSuppressed()).hasSize(MOST);
    }

    @Test
    @Operator("usingWhen")
    void whatACleanupFailsWithIsAddedOnceAndNotWithoutABound() {
        assertFailsWithShared(cleanedUp(another));
        assertFailsWithShared(cleanedUp(another));
        assertThat(shared.getSuppressed()).containsExactly(another);
        fresh().forEach(failure -> assertFailsWithShared(cleanedUp(failure)));
        assertThat(shared.getSuppressed()).hasSize(MOST);
    }

    @Test
    void whatSupervisionWasAskedAboutIsAddedOnceAndNotWithoutABound() {
        assertFailsWithShared(supervised(another));
        assertFailsWithShared(supervised(another));
        assertThat(shared.getSuppressed()).containsExactly(another);
        fresh().forEach(failure -> assertFailsWithShared(supervised(failure)));
        assertThat(shared.getSuppressed()).hasSize(MOST);
    }
}
