package io.millrace.docs.operators;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Junctions;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.SinkQueue;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;

/** The code of docs/operators/sinks.md. */
class SinksExamplesTest extends ExamplesTest {
    @TempDir
    Path folder;

    @Test
    void ignore() throws Exception {
        // snippet: ignore
        CompletionStage<Done> end = Source.of(1, 2, 3).runWith(Sink.ignore(), runtime);
        // end
        assertThat(await(end)).isEqualTo(Done.DONE);
    }

    @Test
    void foreach() throws Exception {
        List<Integer> seen = new CopyOnWriteArrayList<>();
        // snippet: foreach
        CompletionStage<Done> end = Source.of(1, 2, 3).runWith(Sink.foreach(seen::add), runtime);
        // end
        await(end);
        assertThat(seen).containsExactly(1, 2, 3);
    }

    @Test
    void foreachAsync() throws Exception {
        List<String> saved = new CopyOnWriteArrayList<>();
        // snippet: foreachAsync
        CompletionStage<Done> end = Source.of("a", "b", "c")
                .runWith(Sink.foreachAsync(2, row -> CompletableFuture.runAsync(() -> saved.add(row))), runtime);
        // end
        await(end);
        assertThat(saved).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void fold() throws Exception {
        // snippet: fold
        CompletionStage<Integer> sum = Source.of(1, 2, 3).runWith(Sink.fold(0, Integer::sum), runtime);
        // end
        assertThat(await(sum)).isEqualTo(6);
    }

    @Test
    void reduce() throws Exception {
        // snippet: reduce
        CompletionStage<Integer> largest = Source.of(1, 3, 2).runWith(Sink.reduce(Math::max), runtime);
        // end
        assertThat(await(largest)).isEqualTo(3);
    }

    @Test
    void count() throws Exception {
        // snippet: count
        CompletionStage<Long> count = Source.of("a", "b").runWith(Sink.count(), runtime);
        // end
        assertThat(await(count)).isEqualTo(2);
    }

    @Test
    void head() throws Exception {
        // snippet: head
        CompletionStage<Integer> first = Source.repeat(7).runWith(Sink.head(), runtime);
        // end
        assertThat(await(first)).isEqualTo(7);
    }

    @Test
    void headOption() throws Exception {
        // snippet: headOption
        CompletionStage<Optional<Integer>> first = Source.<Integer>empty().runWith(Sink.headOption(), runtime);
        // end
        assertThat(await(first)).isEmpty();
    }

    @Test
    void last() throws Exception {
        // snippet: last
        CompletionStage<Integer> last = Source.of(1, 2, 3).runWith(Sink.last(), runtime);
        // end
        assertThat(await(last)).isEqualTo(3);
    }

    @Test
    void lastOption() throws Exception {
        // snippet: lastOption
        CompletionStage<Optional<Integer>> last = Source.of(1, 2, 3).runWith(Sink.lastOption(), runtime);
        // end
        assertThat(await(last)).contains(3);
    }

    @Test
    void takeLast() throws Exception {
        // snippet: takeLast
        CompletionStage<List<Integer>> newest = Source.range(0, 100).runWith(Sink.takeLast(3), runtime);
        // end
        assertThat(await(newest)).containsExactly(97, 98, 99);
    }

    @Test
    void exists() throws Exception {
        // snippet: exists
        CompletionStage<Boolean> anyNegative = Source.of(1, -2, 3).runWith(Sink.exists(n -> n < 0), runtime);
        // end
        assertThat(await(anyNegative)).isTrue();
    }

    @Test
    void forall() throws Exception {
        // snippet: forall
        CompletionStage<Boolean> allEven = Source.of(2, 4, 5).runWith(Sink.forall(n -> n % 2 == 0), runtime);
        // end
        assertThat(await(allEven)).isFalse();
    }

    @Test
    void none() throws Exception {
        // snippet: none
        CompletionStage<Boolean> noneNegative = Source.of(1, 2, 3).runWith(Sink.none(n -> n < 0), runtime);
        // end
        assertThat(await(noneNegative)).isTrue();
    }

    @Test
    void seq() throws Exception {
        // snippet: seq
        CompletionStage<List<Integer>> list = Source.of(1, 2, 3).runWith(Sink.seq(), runtime);
        // end
        assertThat(await(list)).containsExactly(1, 2, 3);
    }

    @Test
    void collect() throws Exception {
        // snippet: collect
        CompletionStage<String> line = Source.of("a", "b").runWith(Sink.collect(Collectors.joining(", ")), runtime);
        // end
        assertThat(await(line)).isEqualTo("a, b");
    }

    @Test
    void queue() throws Exception {
        // snippet: queue
        SinkQueue<String> queue = Source.of("job 1", "job 2").runWith(Sink.queue(), runtime);
        CompletionStage<Optional<String>> job = queue.pull(); // from any thread; empty when the stream has completed
        // end
        assertThat(await(job)).contains("job 1");
    }

    @Test
    void cancelled() throws Exception {
        // snippet: cancelled
        NotUsed nothing = Source.repeat(1).runWith(Sink.cancelled(), runtime);
        // end
        assertThat(nothing).isEqualTo(NotUsed.NOT_USED);
    }

    @Test
    void onComplete() throws Exception {
        CompletableFuture<Optional<Throwable>> ended = new CompletableFuture<>();
        // snippet: onComplete
        Source.of(1, 2, 3).runWith(Sink.onComplete(failure -> ended.complete(failure)), runtime);
        // end
        assertThat(await(ended)).isEmpty();
    }

    @Test
    void lazy() throws Exception {
        Path file = folder.resolve("lazy");
        // snippet: lazy
        CompletionStage<CompletionStage<Long>> written =
                Source.<ByteBuffer>empty().runWith(Sink.lazy(() -> Sink.toPath(file)), runtime); // no element, no file
        // end
        assertThat(written.toCompletableFuture()
                        .handle((value, failure) -> failure)
                        .get(10, TimeUnit.SECONDS))
                .hasMessageContaining("never made");
        assertThat(file).doesNotExist();
    }

    @Test
    void combine() throws Exception {
        List<Integer> audit = new CopyOnWriteArrayList<>();
        CompletableFuture<Optional<Throwable>> ended = new CompletableFuture<>();
        // snippet: combine
        Sink<Integer, NotUsed> both =
                Sink.combine(List.of(Sink.foreach(audit::add), Sink.onComplete(ended::complete)), Junctions::broadcast);
        Source.of(1, 2).runWith(both, runtime);
        // end
        assertThat(await(ended)).isEmpty();
    }

    @Test
    void asPublisher() throws Exception {
        // snippet: asPublisher
        Publisher<Integer> publisher = Source.of(1, 2).runWith(Sink.asPublisher(), runtime);
        // end
        assertThat(all(Source.<Integer>fromPublisher(publisher))).containsExactly(1, 2);
    }

    @Test
    void asFlowPublisher() throws Exception {
        // snippet: asFlowPublisher
        java.util.concurrent.Flow.Publisher<Integer> publisher =
                Source.of(1, 2).runWith(Sink.asFlowPublisher(), runtime);
        // end
        assertThat(all(Source.<Integer>fromFlowPublisher(publisher))).containsExactly(1, 2);
    }

    @Test
    void asFanOutPublisher() throws Exception {
        // snippet: asFanOutPublisher
        Publisher<Integer> shared = Source.repeat(7).runWith(Sink.asFanOutPublisher(16, runtime), runtime);
        List<Integer> one = all(Source.<Integer>fromPublisher(shared).take(2));
        List<Integer> another = all(Source.<Integer>fromPublisher(shared).take(1));
        // end
        assertThat(one).containsExactly(7, 7);
        assertThat(another).containsExactly(7);
    }

    @Test
    void fromSubscriber() throws Exception {
        Pair<Subscriber<Integer>, CompletionStage<List<Integer>>> peer =
                Source.<Integer>asSubscriber().toMat(Sink.seq(), Keep.both()).run(runtime);
        // snippet: fromSubscriber
        Subscriber<Integer> subscriber = peer.first();
        Source.of(1, 2).runWith(Sink.fromSubscriber(subscriber), runtime);
        // end
        assertThat(await(peer.second())).containsExactly(1, 2);
    }

    @Test
    void fromFlowSubscriber() throws Exception {
        Pair<java.util.concurrent.Flow.Subscriber<Integer>, CompletionStage<List<Integer>>> peer =
                Source.<Integer>asFlowSubscriber()
                        .toMat(Sink.seq(), Keep.both())
                        .run(runtime);
        // snippet: fromFlowSubscriber
        java.util.concurrent.Flow.Subscriber<Integer> subscriber = peer.first();
        Source.of(1, 2).runWith(Sink.fromFlowSubscriber(subscriber), runtime);
        // end
        assertThat(await(peer.second())).containsExactly(1, 2);
    }

    @Test
    void toPath() throws Exception {
        Path file = folder.resolve("rows");
        // snippet: toPath
        CompletionStage<Long> writtenBytes =
                Source.of("a\n", "b\n").map(line -> UTF_8.encode(line)).runWith(Sink.toPath(file), runtime);
        // end
        assertThat(await(writtenBytes)).isEqualTo(4);
        assertThat(Files.readString(file)).isEqualTo("a\nb\n");
    }

    @Test
    void toOutputStream() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        // snippet: toOutputStream
        CompletionStage<Long> writtenBytes = Source.of("a\n", "b\n")
                .map(line -> UTF_8.encode(line))
                .runWith(Sink.toOutputStream(() -> out), runtime);
        // end
        assertThat(await(writtenBytes)).isEqualTo(4);
        assertThat(out.toString(UTF_8)).isEqualTo("a\nb\n");
    }

    @Test
    void asInputStream() throws Exception {
        String first;
        // snippet: asInputStream
        InputStream in = Source.of("a\n", "b\n").map(line -> UTF_8.encode(line)).runWith(Sink.asInputStream(), runtime);
        try (BufferedReader rows = new BufferedReader(new InputStreamReader(in, UTF_8))) {
            first = rows.readLine(); // waits for it
        } // closing cancels the stream
        // end
        assertThat(first).isEqualTo("a");
    }

    @Test
    void fromCompletionStage() throws Exception {
        Path file = folder.resolve("later");
        // snippet: fromCompletionStage
        CompletionStage<Sink<ByteBuffer, CompletionStage<Long>>> target =
                CompletableFuture.supplyAsync(() -> Sink.toPath(file)); // asked of a service
        CompletionStage<Long> written = Source.of("a\n", "b\n")
                .map(line -> UTF_8.encode(line))
                .runWith(Sink.fromCompletionStage(target), runtime)
                .thenCompose(value -> value);
        // end
        assertThat(await(written)).isEqualTo(4);
    }
}
