package io.millrace.docs.operators;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceQueue;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RetrySettings;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscriber;

/** The examples of docs/operators/sources.md. */
final class SourcesExamplesTest extends ExamplesTest {
    private static Path textFile(Path folder) throws IOException {
        return Files.writeString(folder.resolve("text"), "to be\nor not");
    }

    private static CompletionStage<Optional<Pair<Integer, String>>> fetchPage(int number) {
        return CompletableFuture.supplyAsync(
                () -> number > 2 ? Optional.empty() : Optional.of(new Pair<>(number + 1, "page " + number)));
    }

    @Test
    void emptyCompletes() throws Exception {
        // snippet: empty
        List<String> none = all(Source.empty());
        assertThat(none).isEmpty();
        // end
    }

    @Test
    void singleEmitsOne() throws Exception {
        // snippet: single
        List<String> one = all(Source.single("a"));
        assertThat(one).containsExactly("a");
        // end
    }

    @Test
    void ofEmitsAnArray() throws Exception {
        // snippet: of
        List<Integer> numbers = all(Source.of(1, 2, 3));
        assertThat(numbers).containsExactly(1, 2, 3);
        // end
    }

    @Test
    void fromEmitsAnIterable() throws Exception {
        // snippet: from
        List<Integer> numbers = all(Source.from(List.of(1, 2, 3)));
        assertThat(numbers).containsExactly(1, 2, 3);
        // end
    }

    @Test
    void fromIteratorMakesOnePerRun() throws Exception {
        // snippet: fromIterator
        Properties properties = new Properties();
        properties.setProperty("a", "1");
        List<Object> keys = all(Source.fromIterator(() -> properties.keySet().iterator()));
        assertThat(keys).containsExactly("a");
        // end
    }

    @Test
    void fromOptionalEmitsOneOrNone() throws Exception {
        // snippet: fromOptional
        List<Integer> none =
                all(Source.fromOptional(Stream.of(1).filter(n -> n > 1).findFirst()));
        assertThat(none).isEmpty();
        // end
    }

    @Test
    void fromStreamClosesIt() throws Exception {
        // snippet: fromStream
        List<String> lines = all(Source.fromStream(() -> "to be\nor not".lines()));
        assertThat(lines).containsExactly("to be", "or not");
        // end
    }

    @Test
    void rangeCounts() throws Exception {
        // snippet: range
        List<Integer> numbers = all(Source.range(3, 6));
        assertThat(numbers).containsExactly(3, 4, 5);
        // end
    }

    @Test
    void repeatNeverEnds() throws Exception {
        // snippet: repeat
        List<Integer> sevens = all(Source.repeat(7).take(3));
        assertThat(sevens).containsExactly(7, 7, 7);
        // end
    }

    @Test
    void cycleBeginsAgain() throws Exception {
        // snippet: cycle
        List<String> turns =
                all(Source.cycle(() -> List.of("left", "right").iterator()).take(3));
        assertThat(turns).containsExactly("left", "right", "left");
        // end
    }

    @Test
    void unfoldMakesElementsOfAState() throws Exception {
        // snippet: unfold
        List<Integer> powers =
                all(Source.unfold(1, n -> n > 20 ? Optional.empty() : Optional.of(new Pair<>(n * 3, n))));
        assertThat(powers).containsExactly(1, 3, 9);
        // end
    }

    @Test
    void unfoldAsyncWaitsForFutures() throws Exception {
        // snippet: unfoldAsync
        List<String> pages = all(Source.unfoldAsync(1, number -> fetchPage(number)));
        assertThat(pages).containsExactly("page 1", "page 2");
        // end
    }

    private static CompletionStage<List<String>> namesAfter(String last) {
        List<String> behind = Stream.of("a", "b", "c")
                .filter(name -> last == null || name.compareTo(last) > 0)
                .toList();
        return CompletableFuture.completedFuture(behind.subList(0, Math.min(2, behind.size())));
    }

    @Test
    void unfoldAsyncFollowsACursor() throws Exception {
        // snippet: cursor
        // namesAfter(null) asks for the first page; the page behind the last name is empty
        List<String> names = all(Source.<String, List<String>>unfoldAsync(
                        null,
                        last -> namesAfter(last)
                                .thenApply(page -> page.isEmpty()
                                        ? Optional.empty()
                                        : Optional.of(new Pair<>(page.get(page.size() - 1), page))))
                .mapConcat(page -> page));
        assertThat(names).containsExactly("a", "b", "c");
        // end
    }

    @Test
    void unfoldResourceCloses(@TempDir Path folder) throws Exception {
        Path file = textFile(folder);
        // snippet: unfoldResource
        List<String> lines = all(Source.unfoldResource(
                () -> Files.newBufferedReader(file),
                reader -> Optional.ofNullable(reader.readLine()),
                BufferedReader::close));
        assertThat(lines).containsExactly("to be", "or not");
        // end
    }

    @Test
    void lazyMakesItsSourceWhenAsked() throws Exception {
        // snippet: lazy
        List<Long> now = all(Source.lazy(() -> Source.single(System.nanoTime())));
        assertThat(now).hasSize(1);
        // end
    }

    @Test
    void fromRuntimeSeesWhereItRuns() throws Exception {
        // snippet: fromRuntime
        List<String> names = all(Source.fromRuntime((streams, attributes) -> Source.single(attributes.path()))
                .named("prices"));
        assertThat(names).containsExactly("prices");
        // end
    }

    @Test
    void fromCompletionStageWaits() throws Exception {
        // snippet: fromCompletionStage
        List<Integer> answer = all(Source.fromCompletionStage(CompletableFuture.supplyAsync(() -> 42)));
        assertThat(answer).containsExactly(42);
        // end
    }

    @Test
    void maybeIsGivenItsElement() throws Exception {
        // snippet: maybe
        Pair<CompletableFuture<Optional<String>>, CompletionStage<List<String>>> run =
                Source.<String>maybe().toMat(Sink.seq(), Keep.both()).run(runtime);
        run.first().complete(Optional.of("now"));
        assertThat(await(run.second())).containsExactly("now");
        // end
    }

    @Test
    void neverWaits() throws Exception {
        // snippet: never
        List<String> none = all(Source.<String>never().takeUntil(Source.single("stop")));
        assertThat(none).isEmpty();
        // end
    }

    @Test
    void failedFails() throws Exception {
        // snippet: failed
        Throwable failure = failureOf(Source.failed(new IllegalStateException("closed on Mondays")));
        assertThat(failure).hasMessage("closed on Mondays");
        // end
    }

    @Test
    void tickEmitsOncePerPeriod() throws Exception {
        // snippet: tick
        List<String> ticks =
                all(Source.tick(Duration.ZERO, Duration.ofMillis(1), "tick").take(2));
        assertThat(ticks).containsExactly("tick", "tick");
        // end
    }

    @Test
    void queueTakesOffers() throws Exception {
        // snippet: queue
        Pair<SourceQueue<Integer>, CompletionStage<List<Integer>>> run = Source.<Integer>queue(
                        16, OverflowStrategy.DROP_HEAD)
                .toMat(Sink.seq(), Keep.both())
                .run(runtime);
        run.first().offer(1);
        run.first().offer(2);
        run.first().complete();
        assertThat(await(run.second())).containsExactly(1, 2);
        // end
    }

    @Test
    void fromPublisherSubscribes() throws Exception {
        // snippet: fromPublisher
        List<Integer> numbers = all(Source.fromPublisher(Source.range(1, 4).toPublisher(runtime)));
        assertThat(numbers).containsExactly(1, 2, 3);
        // end
    }

    @Test
    void asSubscriberIsGivenElements() throws Exception {
        // snippet: asSubscriber
        Pair<Subscriber<Integer>, CompletionStage<List<Integer>>> run = Source.<Integer>asSubscriber()
                .toMat(Sink.<Integer>seq(), Keep.both())
                .run(runtime);
        Source.range(1, 4).toPublisher(runtime).subscribe(run.first());
        assertThat(await(run.second())).containsExactly(1, 2, 3);
        // end
    }

    @Test
    void fromPathReadsAFile(@TempDir Path folder) throws Exception {
        Path file = textFile(folder);
        // snippet: fromPath
        List<Integer> bytes = all(Source.fromPath(file, 6).map(ByteBuffer::remaining));
        assertThat(bytes).containsExactly(6, 6);
        // end
    }

    @Test
    void fromInputStreamReadsAndCloses() throws Exception {
        // snippet: fromInputStream
        List<Integer> bytes = all(Source.fromInputStream(() -> new ByteArrayInputStream(new byte[10]), 8)
                .map(ByteBuffer::remaining));
        assertThat(bytes).containsExactly(8, 2);
        // end
    }

    @Test
    void mergeAllEmitsAsTheyCome() throws Exception {
        // snippet: mergeAll
        List<Integer> numbers = all(Source.mergeAll(List.of(Source.of(1, 2), Source.of(3))));
        assertThat(numbers).containsExactlyInAnyOrder(1, 2, 3);
        // end
    }

    @Test
    void concatAllKeepsTheOrder() throws Exception {
        // snippet: concatAll
        List<Integer> numbers = all(Source.concatAll(List.of(Source.of(1, 2), Source.of(3))));
        assertThat(numbers).containsExactly(1, 2, 3);
        // end
    }

    @Test
    void zipNMakesLists() throws Exception {
        // snippet: zipN
        List<List<Integer>> rows = all(Source.zipN(List.of(Source.of(1, 2), Source.of(3, 4, 5))));
        assertThat(rows).containsExactly(List.of(1, 3), List.of(2, 4));
        // end
    }

    @Test
    void zipWithNAppliesAFunction() throws Exception {
        // snippet: zipWithN
        List<Integer> greatest =
                all(Source.zipWithN(List.of(Source.of(1, 5), Source.of(3, 4)), numbers -> Collections.max(numbers)));
        assertThat(greatest).containsExactly(3, 5);
        // end
    }

    @Test
    void asOutputStream(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("written");
        // snippet: asOutputStream
        Pair<OutputStream, CompletionStage<Long>> running =
                Source.asOutputStream().toMat(Sink.toPath(file), Keep.both()).run(runtime);
        try (Writer out = new OutputStreamWriter(running.first(), UTF_8)) {
            out.write("some text"); // waits while the stream takes no more
        } // closing completes the stream
        // end
        assertThat(await(running.second())).isEqualTo(9);
        assertThat(Files.readString(file)).isEqualTo("some text");
    }

    @Test
    void lazyCompletionStage() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Supplier<Integer> service = () -> {
            if (calls.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            return calls.get();
        };
        // snippet: lazyCompletionStage
        Source<Integer, NotUsed> call = Source.lazyCompletionStage(() -> CompletableFuture.supplyAsync(service))
                .retry(RetrySettings.times(3)); // calls again, where fromCompletionStage has one future only
        // end
        assertThat(all(call)).containsExactly(3);
    }
}
