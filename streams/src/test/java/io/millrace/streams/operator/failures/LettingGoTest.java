package io.millrace.streams.operator.failures;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.ConnectableSource;
import io.millrace.streams.Flow;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.RetrySettings;
import io.millrace.streams.operator.VirtualTimeTest;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What follows on a source waits until every island of it has let go of what it holds. */
class LettingGoTest extends VirtualTimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final RestartSettings RESTARTS =
            RestartSettings.of(Backoff.exponential(SECOND, SECOND).withJitter(0));

    private final IllegalStateException lost = new IllegalStateException("lost");
    private final List<String> seen = new CopyOnWriteArrayList<>();
    /** The turns of the islands that the test lets run. */
    private final Queue<Runnable> turns = new ConcurrentLinkedQueue<>();

    private int runs;
    private int closed;

    @AfterEach
    void letAllEnd() {
        giveTurns();
    }

    private void giveTurns() {
        while (!turns.isEmpty()) {
            turns.remove().run();
        }
    }

    /** Where a turn takes long, as on a busy machine, another thread goes on with what follows it. */
    private void giveTurnsUntil(String event) {
        Await.until(event, () -> {
            Runnable turn = seen.contains(event) ? null : turns.poll();
            if (turn != null) {
                turn.run();
            }
            return seen.contains(event);
        });
    }

    /** The time that is waited for may begin a moment later than the test goes on. */
    private void advanceUntil(int count) {
        time.advance(Duration.ofNanos(1));
        Await.until(count + " events", () -> {
            boolean isThere = seen.size() >= count;
            time.advance(isThere ? Duration.ZERO : Duration.ofMillis(1));
            return isThere;
        });
    }

    private void awaitSeen(int count) {
        Await.until(count + " events", () -> seen.size() >= count);
    }

    /** Holds something in an island of its own. */
    private Source<Integer, NotUsed> holding() {
        return Source.repeat(1)
                .doFinally(outcome -> seen.add("closed " + ++closed))
                .withAttributes(Attributes.dispatcher(turns::add))
                .mapMaterializedValue(value -> {
                    seen.add("run " + ++runs);
                    return value;
                });
    }

    /** The same, and fails in the next island. */
    private Source<Integer, NotUsed> failing() {
        return holding()
                .via(Flow.<Integer, Integer>of(n -> {
                            throw lost;
                        })
                        .withAttributes(Attributes.dispatcher(turns::add)));
    }

    private boolean hear(Throwable failure) {
        seen.add("failure " + runs);
        return failure != null;
    }

    private TestSink<Integer> run(Source<Integer, ?> source) {
        return source.runWith(TestSink.<Integer>probe(), runtime).request(10);
    }

    @Test
    @Operator("restarting")
    void aSourceIsRestartedWhenTheOneBeforeHasLetGo() {
        isRestartedInOrder(Source.restarting(RESTARTS.withRestartOn(this::hear), this::failing));
    }

    @Test
    @Operator("restarting")
    void aFlowIsRestartedWhenTheOneBeforeHasLetGo() {
        isRestartedInOrder(Source.<Integer>never()
                .via(Flow.restarting(
                        RESTARTS.withRestartOn(this::hear),
                        () -> Flow.<Integer>create().merge(failing()))));
    }

    private void isRestartedInOrder(Source<Integer, ?> restarting) {
        TestSink<Integer> sink = run(restarting);
        giveTurnsUntil("failure 1");
        time.advance(SECOND);
        assertThat(seen).containsExactly("run 1", "failure 1");
        giveTurnsUntil("closed 2");
        assertThat(seen).startsWith("run 1", "failure 1", "closed 1", "run 2", "failure 2", "closed 2");
        sink.cancel();
    }

    @Test
    @Operator({"recoverWithRetries", "recoverWith"})
    void anotherSourceBeginsWhenTheOneBeforeHasLetGo() {
        TestSink<Integer> sink = run(Source.<Integer>failed(lost)
                .recoverWithRetries(2, failure -> hear(failure) ? failing() : Source.empty()));
        giveTurnsUntil("failure 1");
        assertThat(seen).containsExactly("failure 0", "run 1", "failure 1");
        giveTurnsUntil("run 2");
        assertThat(seen).containsExactly("failure 0", "run 1", "failure 1", "closed 1", "run 2");
        giveTurnsUntil("closed 2");
        assertThat(sink.expectError()).isSameAs(lost);
    }

    @Test
    @Operator("retry")
    void aSourceIsRunAgainWhenTheRunBeforeHasLetGo() {
        TestSink<Integer> sink = run(failing().retry(RetrySettings.times(2).withRetryOn(this::hear)));
        giveTurnsUntil("failure 2");
        assertThat(seen).containsOnlyOnce("run 2").doesNotContain("run 3");
        giveTurnsUntil("run 3");
        assertThat(seen).endsWith("failure 2", "closed 2", "run 3");
        giveTurnsUntil("closed 3");
        assertThat(sink.expectError()).isSameAs(lost);
    }

    /** Nobody waits for the last one. */
    @Test
    @Operator("recoverWith")
    void theLastFailureIsToldAtOnce() {
        TestSink<Integer> sink = run(Source.<Integer>failed(new IllegalStateException())
                .recoverWith(failure -> failing())
                .doOnError(failure -> seen.add("told")));
        giveTurnsUntil("told");
        assertThat(sink.expectError()).isSameAs(lost);
        assertThat(seen).containsExactly("run 1", "told");
    }

    @Test
    @Operator("restarting")
    void whoCancelsMeanwhileEndsItAtOnce() {
        TestSink<Integer> sink = run(Source.restarting(RESTARTS.withRestartOn(this::hear), this::failing)
                .doFinally(outcome -> seen.add("end")));
        giveTurnsUntil("failure 1");
        time.advance(SECOND);
        sink.cancel();
        awaitSeen(3);
        assertThat(seen).containsExactly("run 1", "failure 1", "end");
        giveTurnsUntil("closed 1");
        assertThat(seen).containsExactly("run 1", "failure 1", "end", "closed 1");
    }

    @Test
    @Operator("usingWhen")
    void aResourceIsCleanedUpWhenWhatIsMadeOfItHasLetGo() {
        for (Source<Integer, NotUsed> body : List.of(holding(), failing())) {
            cancelWhileItHolds(body);
            assertThat(seen).hasSize(1);
            giveTurnsUntil("cleanup Cancelled");
            assertThat(seen).hasSize(3).endsWith("cleanup Cancelled");
        }
    }

    /** A part of a run that nothing ends, as it is not connected with what has failed. */
    @Test
    @Operator("restarting")
    void whatDoesNotLetGoByItselfIsNotWaitedForLong() {
        TestSink<Integer> sink = run(Source.restarting(
                RESTARTS.withRestartOn(this::hear),
                () -> Source.<Integer>never().via(Flow.fromSinkAndSource(Sink.ignore(), Source.failed(lost)))));
        awaitSeen(1);
        time.advance(SECOND);
        time.advance(LONGEST.minusNanos(1));
        assertThat(seen).containsExactly("failure 0");
        advanceUntil(2);
        assertThat(seen).startsWith("failure 0", "failure 0");
        sink.cancel();
    }

    @Test
    @Operator("publish")
    void aSharedSourceThatDoesNotLetGoIsNotWaitedForLong() {
        ConnectableSource<Integer> shared = holding().publish(runtime);
        TestSink<Integer> first = run(shared.refCount());
        awaitSeen(1);
        first.cancel();
        TestSink<Integer> second = run(shared.refCount());
        time.advance(LONGEST.minusNanos(1));
        assertThat(seen).containsExactly("run 1");
        advanceUntil(2);
        assertThat(seen).containsExactly("run 1", "run 2");
        second.cancel();
    }

    /** As of a connection whose reads end once it is closed. */
    @Test
    @Operator("usingWhen")
    void whatOnlyTheCleanupCanEndIsNotWaitedForLong() {
        for (Source<Integer, NotUsed> body : List.of(holding(), failing())) {
            cancelWhileItHolds(body);
            time.advance(LONGEST.minusNanos(1));
            assertThat(seen).hasSize(1);
            advanceUntil(2);
            assertThat(seen).hasSize(2).endsWith("cleanup Cancelled");
            giveTurns();
            awaitSeen(3);
        }
    }

    @Test
    @Operator("usingWhen")
    void anEndByForceMeanwhileIsACancellation() {
        run(usingWhen(holding()
                .via(Flow.<Integer, Integer>of(n -> n).withAttributes(Attributes.dispatcher(turns::add)))
                .via(Flow.<Integer>create()
                        .take(1)
                        .doOnComplete(() -> seen.add("complete"))
                        .withAttributes(Attributes.dispatcher(Runnable::run)))));
        giveTurnsUntil("complete");
        assertThat(seen).containsExactly("run 1", "complete");
        runtime.close();
        awaitSeen(3);
        assertThat(seen).contains("cleanup Cancelled");
    }

    /** Cancels a stream of a resource, of which this is made. */
    private void cancelWhileItHolds(Source<Integer, NotUsed> body) {
        seen.clear();
        TestSink<Integer> sink = run(usingWhen(body));
        turns.remove().run();
        sink.cancel();
    }

    private Source<Integer, NotUsed> usingWhen(Source<Integer, NotUsed> body) {
        return Source.usingWhen(() -> CompletableFuture.completedFuture(1), resource -> body, (resource, how) -> {
            seen.add("cleanup " + how.getClass().getSimpleName());
            return CompletableFuture.completedFuture(1);
        });
    }

    /** On threads of their own, where the last island to finish may be any. */
    @Test
    @Operator("recoverWithRetries")
    void ofManyRunsNoTwoHoldTheResourceAtOnce() throws Exception {
        AtomicInteger open = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        Source<Integer, NotUsed> one = Source.<Integer, Integer>unfoldResource(
                        () -> {
                            if (open.incrementAndGet() > 1) {
                                overlaps.incrementAndGet();
                            }
                            return 1;
                        },
                        Optional::of,
                        resource -> open.decrementAndGet())
                .async()
                .via(Flow.<Integer, Integer>of(n -> {
                    throw lost;
                }));
        try (StreamRuntime threads =
                StreamRuntime.create(RuntimeSettings.defaults().withFailureReporter(failure -> {}))) {
            await(Source.<Integer>failed(lost)
                    .recoverWithRetries(2_000, failure -> one)
                    .onErrorComplete()
                    .runWith(Sink.seq(), threads));
        }
        assertThat(overlaps).hasValue(0);
        assertThat(open).hasValue(0);
    }
}
