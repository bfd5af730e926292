package io.millrace.streams.operator.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outcome;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamLeakCheck;
import io.millrace.testkit.TestSink;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A resource is cleaned up after exactly once, whatever happens. */
class UsingWhenTest {
    private final IOException mine = new IOException("mine");

    private final List<StreamException> reports = new ArrayList<>();
    private final StreamRuntime runtime = StreamRuntime.create(
            RuntimeSettings.defaults().withExecutor(Runnable::run).withFailureReporter(reports::add));
    private final List<Outcome> outcomes = new ArrayList<>();
    private final CompletableFuture<String> resource = new CompletableFuture<>();
    private CompletionStage<?> cleanup = CompletableFuture.completedFuture("done");

    @AfterEach
    void nothingIsLeft() {
        StreamLeakCheck.assertNoStreams(runtime);
        runtime.close();
    }

    private TestSink<String> run(Source<String, NotUsed> more) {
        return Source.usingWhen(() -> resource, held -> Source.single(held).concat(more), (held, outcome) -> {
                    outcomes.add(outcome);
                    return cleanup;
                })
                .runWith(TestSink.<String>probe(), runtime);
    }

    @Test
    @Operator("usingWhen")
    void completionWaitsForTheCleanup() {
        CompletableFuture<String> slow = new CompletableFuture<>();
        cleanup = slow;
        TestSink<String> sink = run(Source.single("more"));
        sink.request(10).expectNothing(Duration.ZERO);
        resource.complete("resource");
        sink.expectNext("resource", "more").expectNothing(Duration.ZERO);
        assertThat(outcomes).containsExactly(new Outcome.Completed());
        slow.complete("done");
        sink.expectComplete();
    }

    @Test
    @Operator("usingWhen")
    void aFailureGoesThroughAfterTheCleanupWhoseFailureIsAdded() {
        IOException own = new IOException("own");
        IllegalStateException cleaning = new IllegalStateException("cleaning");
        cleanup = CompletableFuture.failedFuture(cleaning);
        resource.complete("resource");
        TestSink<String> sink = run(Source.failed(own));
        sink.request(10).expectNext("resource");
        assertThat(sink.expectError()).isSameAs(own).hasSuppressedException(cleaning);
        assertThat(outcomes).containsExactly(new Outcome.Failed(own));
    }

    @Test
    @Operator("usingWhen")
    void aCleanupThatFailsAfterTheCompletionFailsTheStream() {
        cleanup = CompletableFuture.failedFuture(mine);
        resource.complete("resource");
        TestSink<String> sink = run(Source.empty());
        sink.request(10).expectNext("resource");
        assertThat(sink.expectError()).isSameAs(mine);
    }

    @Test
    @Operator("usingWhen")
    void cancellationCleansUpAndReportsWhatThatFailsWith() {
        cleanup = CompletableFuture.failedFuture(mine);
        resource.complete("resource");
        TestSink<String> sink = run(Source.never());
        sink.request(10).expectNext("resource");
        sink.cancel();
        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        Outcome.Cancelled.class,
                        cancelled -> assertThat(cancelled.cause()).isInstanceOf(DownstreamFinished.class));
        assertThat(reports)
                .singleElement()
                .satisfies(report -> assertThat(report).hasRootCause(mine));
    }

    @Test
    @Operator("usingWhen")
    void aResourceThatComesAfterTheCancellationIsCleanedUp() {
        TestSink<String> sink = run(Source.never());
        sink.cancel();
        assertThat(outcomes).isEmpty();
        resource.complete("resource");
        assertThat(outcomes).singleElement().isInstanceOf(Outcome.Cancelled.class);
    }

    @Test
    @Operator("usingWhen")
    void anEndByForceCleansUpBeforeAndAfterTheResourceHasCome() {
        run(Source.never());
        runtime.close();
        resource.complete("resource");
        assertThat(outcomes).singleElement().isInstanceOf(Outcome.Cancelled.class);
        try (StreamRuntime other =
                StreamRuntime.create(RuntimeSettings.defaults().withExecutor(Runnable::run))) {
            Source.usingWhen(() -> resource, held -> Source.never(), (held, outcome) -> {
                        outcomes.add(outcome);
                        return cleanup;
                    })
                    .runWith(TestSink.probe(), other);
        }
        assertThat(outcomes).hasSize(2);
    }

    @Test
    @Operator("usingWhen")
    void anEndByForceReportsWhatTheCleanupThenFailsWith() {
        CompletableFuture<String> slow = new CompletableFuture<>();
        cleanup = slow;
        resource.complete("resource");
        run(Source.never()).request(1).expectNext("resource");
        runtime.close();
        assertThat(reports).isEmpty();
        slow.completeExceptionally(mine);
        assertIsReported();
    }

    @Test
    @Operator("usingWhen")
    void anEndByForceReportsWhatACleanupFailsWithThatHasBegun() {
        CompletableFuture<String> slow = new CompletableFuture<>();
        cleanup = slow;
        resource.complete("resource");
        run(Source.empty()).request(1).expectNext("resource");
        assertThat(outcomes).containsExactly(new Outcome.Completed());
        runtime.close();
        slow.completeExceptionally(mine);
        assertIsReported();
        assertThat(outcomes).hasSize(1);
    }

    @Test
    @Operator("usingWhen")
    void anEndByForceReportsWhatTheCleanupFailsWithOfAResourceThatComesLater() {
        cleanup = CompletableFuture.failedFuture(mine);
        run(Source.never());
        runtime.close();
        resource.complete("resource");
        assertIsReported();
    }

    private void assertIsReported() {
        assertThat(reports)
                .singleElement()
                .satisfies(report -> assertThat(report)
                        .hasRootCause(mine)
                        .hasMessageContaining("usingWhen")
                        .hasMessageContaining("ended by force"));
    }

    @Test
    @Operator("usingWhen")
    void withoutAResourceThereIsNothingToCleanUp() {
        TestSink<String> failed = run(Source.empty());
        resource.completeExceptionally(mine);
        assertThat(failed.expectError()).isSameAs(mine);
        TestSink<String> thrown = Source.<String, String>usingWhen(
                        () -> {
                            throw mine;
                        },
                        Source::single,
                        (held, outcome) -> cleanup)
                .runWith(TestSink.probe(), runtime);
        assertThat(thrown.expectError()).isSameAs(mine);
        assertThat(outcomes).isEmpty();
    }

    @Test
    @Operator("usingWhen")
    void aBodyThatThrowsIsAFailure() {
        resource.complete("resource");
        TestSink<String> sink = Source.<String, String>usingWhen(
                        () -> resource,
                        held -> {
                            throw mine;
                        },
                        (held, outcome) -> {
                            outcomes.add(outcome);
                            return cleanup;
                        })
                .runWith(TestSink.probe(), runtime);
        assertThat(sink.expectError()).isSameAs(mine);
        assertThat(outcomes).containsExactly(new Outcome.Failed(mine));
    }

    @Test
    @Operator("usingWhen")
    void anErrorIsAFailureLikeAnother() {
        AssertionError error = new AssertionError("no exception");
        Source<String, NotUsed> opened = Source.<String, String>usingWhen(
                () -> {
                    throw error;
                },
                Source::single,
                (held, outcome) -> cleanup);
        opened.recover(failure -> "instead")
                .runWith(TestSink.<String>probe(), runtime)
                .request(10)
                .expectNext("instead")
                .expectComplete();
        resource.complete("resource");
        TestSink<String> made = Source.<String, String>usingWhen(
                        () -> resource,
                        held -> {
                            throw error;
                        },
                        (held, outcome) -> {
                            outcomes.add(outcome);
                            return cleanup;
                        })
                .runWith(TestSink.probe(), runtime);
        assertThat(made.expectError()).isSameAs(error);
        assertThat(outcomes).containsExactly(new Outcome.Failed(error));
    }

    @Test
    @Operator("usingWhen")
    void anErrorOfTheCleanupDoesNotHideTheFailure() {
        AssertionError error = new AssertionError("no exception");
        TestSink<String> sink = Source.<String, String>usingWhen(
                        () -> CompletableFuture.completedFuture("resource"),
                        held -> Source.failed(mine),
                        (held, outcome) -> {
                            throw error;
                        })
                .runWith(TestSink.probe(), runtime);
        assertThat(sink.request(1).expectError()).isSameAs(mine).hasSuppressedException(error);
    }
}
