package io.millrace.docs.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outcome;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.RetrySettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of the pages about failures. */
class FailuresExamplesTest {
    private final StreamRuntime runtime = StreamRuntime.create();
    private final ConcurrentLinkedQueue<Object> seen = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        runtime.close();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    /** Something that opens, is read and is closed, asynchronously. */
    private final class Connection {
        CompletionStage<Connection> open() {
            return CompletableFuture.completedFuture(this);
        }

        List<String> rows() {
            return List.of("a", "b");
        }

        CompletionStage<String> commit() {
            seen.add("commit");
            return CompletableFuture.completedFuture("committed");
        }

        CompletionStage<String> rollBack() {
            seen.add("roll back");
            return CompletableFuture.completedFuture("rolled back");
        }
    }

    @Test
    void recover() throws Exception {
        // snippet: recover
        CompletionStage<List<Integer>> numbers = Source.of("1", "2", "x", "4")
                .map(Integer::parseInt)
                .recover(NumberFormatException.class, failure -> -1)
                .runWith(Sink.seq(), runtime); // 1, 2, -1
        // end
        assertThat(await(numbers)).containsExactly(1, 2, -1);
    }

    @Test
    void recoverWith() throws Exception {
        // snippet: recoverWith
        Source<Integer, ?> live = Source.of(1, 2).concat(Source.failed(new IOException("gone")));
        CompletionStage<List<Integer>> numbers =
                live.recoverWith(failure -> Source.of(7, 8)).runWith(Sink.seq(), runtime); // 1, 2, 7, 8
        // end
        assertThat(await(numbers)).containsExactly(1, 2, 7, 8);
    }

    @Test
    void recoverWithRetries() throws Exception {
        // snippet: recoverWithRetries
        Source<String, ?> replica = Source.single("replica").concat(Source.failed(new IOException("gone")));
        CompletionStage<List<String>> seen = Source.<String>failed(new IOException("gone"))
                .recoverWithRetries(2, failure -> replica) // the third failure goes through
                .recover(Throwable::getMessage)
                .runWith(Sink.seq(), runtime); // replica, replica, gone
        // end
        assertThat(await(seen)).containsExactly("replica", "replica", "gone");
    }

    @Test
    void mapError() {
        // snippet: mapError
        CompletionStage<?> end = Source.failed(new IOException("disk"))
                .mapError(failure -> new UncheckedIOException("cannot read orders", (IOException) failure))
                .runWith(Sink.ignore(), runtime);
        // end
        assertThatThrownBy(() -> await(end)).hasCauseInstanceOf(UncheckedIOException.class);
    }

    @Test
    void onErrorComplete() throws Exception {
        // snippet: onErrorComplete
        CompletionStage<List<Integer>> numbers = Source.of(1, 2)
                .concat(Source.failed(new IOException("connection reset")))
                .onErrorComplete(IOException.class)
                .runWith(Sink.seq(), runtime); // 1, 2
        // end
        assertThat(await(numbers)).containsExactly(1, 2);
    }

    @Test
    void onErrorContinue() throws Exception {
        // snippet: onErrorContinue
        CompletionStage<List<Integer>> numbers = Source.of("1", "x", "3")
                .map(Integer::parseInt)
                .onErrorContinue(failure -> seen.add(failure.getMessage()))
                .runWith(Sink.seq(), runtime); // 1, 3
        // end
        assertThat(await(numbers)).containsExactly(1, 3);
        assertThat(seen).containsExactly("For input string: \"x\"");
    }

    @Test
    void retry() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Source<String, ?> request = Source.single("request").map(text -> {
            if (calls.incrementAndGet() < 3) {
                throw new IOException("try again");
            }
            return text + " " + calls;
        });
        // snippet: retry
        RetrySettings settings = RetrySettings.times(5)
                .withBackoff(Backoff.exponential(Duration.ofMillis(1), Duration.ofSeconds(1)))
                .withRetryOn(failure -> failure instanceof IOException);
        CompletionStage<List<String>> answers = request.retry(settings).runWith(Sink.seq(), runtime);
        // end
        assertThat(await(answers)).containsExactly("request 3");
    }

    private final AtomicInteger calls = new AtomicInteger();

    private CompletionStage<String> call() {
        int number = calls.incrementAndGet();
        return number < 3
                ? CompletableFuture.failedFuture(new IOException("busy"))
                : CompletableFuture.completedFuture("call " + number);
    }

    @Test
    void retryOfAFuture() throws Exception {
        // snippet: retry-future
        Source<String, ?> each = Source.lazy(() -> Source.fromCompletionStage(call())); // calls for each run
        CompletionStage<List<String>> answers =
                each.retry(RetrySettings.times(5)).runWith(Sink.seq(), runtime);
        // end
        assertThat(await(answers)).containsExactly("call 3");
        calls.set(0);
        CompletionStage<List<String>> same =
                Source.fromCompletionStage(call()).retry(RetrySettings.times(5)).runWith(Sink.seq(), runtime);
        assertThatThrownBy(() -> await(same)).hasRootCauseMessage("busy");
        assertThat(calls).hasValue(1);
    }

    /** RetryFlow of Pekko, as coming-from.md says. */
    @Test
    void aFlowIsRetriedForEachElement() throws Exception {
        Flow<String, String, NotUsed> calling =
                Flow.<String>create().mapAsync(1, name -> call().thenApply(answer -> name + " by " + answer));
        CompletionStage<List<String>> answers = Source.of("a", "b")
                .flatMapConcat(name -> Source.single(name).via(calling).retry(RetrySettings.times(5)))
                .runWith(Sink.seq(), runtime);
        assertThat(await(answers)).containsExactly("a by call 3", "b by call 4");
    }

    @Test
    void restarting() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        // snippet: restarting
        RestartSettings settings =
                RestartSettings.of(Backoff.exponential(Duration.ofMillis(1), Duration.ofSeconds(30)));
        CompletionStage<List<String>> events = Source.restarting(
                        settings, () -> Source.single("events of connection " + connections.incrementAndGet()))
                .take(2)
                .runWith(Sink.seq(), runtime);
        // end
        assertThat(await(events)).containsExactly("events of connection 1", "events of connection 2");
    }

    @Test
    void restartingFlowsAndSinks() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger sinks = new AtomicInteger();
        // snippet: restartingFlow
        RestartSettings soon = RestartSettings.of(Backoff.exponential(Duration.ofMillis(1), Duration.ofSeconds(30)));
        Flow<Integer, String, ?> numbered = Flow.restarting(soon, () -> {
            int run = runs.incrementAndGet();
            return Flow.<Integer>create().take(2).map(x -> "run " + run + ": " + x);
        });
        // end
        assertThat(await(Source.single(1).via(numbered).runWith(Sink.seq(), runtime)))
                .containsExactly("run 1: 1");
        // snippet: restartingSink
        Sink<Integer, NotUsed> toStore =
                Sink.restarting(soon, () -> Sink.foreach(x -> sinks.incrementAndGet())); // anew when it fails
        // end
        Source.of(1, 2).alsoTo(toStore).runWith(Sink.ignore(), runtime);
        assertThat(toStore).isNotNull();
    }

    @Test
    void retrying() throws Exception {
        Flow<List<Integer>, List<Integer>, NotUsed> refusedByStore = // takes one of a batch
                Flow.of(batch -> batch.subList(1, batch.size()));
        // snippet: retrying
        Flow<List<Integer>, List<Integer>, ?> all = Flow.retrying(
                5,
                Backoff.exponential(Duration.ofMillis(1), Duration.ofSeconds(1)),
                refusedByStore, // what it did not take of a batch
                (batch, refused) -> refused.isEmpty() ? Optional.empty() : Optional.of(refused));
        // end
        assertThat(await(Source.of(List.of(1, 2, 3), List.of(1, 2, 3, 4, 5, 6, 7))
                        .via(all)
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(List.of(), List.of(7));
    }

    @Test
    void usingWhen() throws Exception {
        Connection database = new Connection();
        // snippet: usingWhen
        Source<String, ?> rows = Source.usingWhen(
                () -> database.open(),
                connection -> Source.from(connection.rows()),
                (connection, outcome) ->
                        outcome instanceof Outcome.Completed ? connection.commit() : connection.rollBack());
        // end
        assertThat(await(rows.runWith(Sink.seq(), runtime))).containsExactly("a", "b");
        assertThat(seen).containsExactly("commit");
    }
}
