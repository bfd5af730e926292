package io.millrace.docs.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.KeyedSource;
import io.millrace.streams.Source;
import io.millrace.streams.graph.GroupBySettings;
import io.millrace.streams.graph.NotUsed;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The examples of docs/operators/substreams.md. */
class SubstreamsExamplesTest extends ExamplesTest {
    @Test
    void groupBy() throws Exception {
        // snippet: groupBy
        Source<String, NotUsed> counts = Source.of("ant", "bee", "asp", "bug", "ape")
                .groupBy(26, word -> word.charAt(0))
                .viaKeyed(letter ->
                        Flow.<String>create().fold(0, (n, word) -> n + 1).map(n -> letter + ": " + n))
                .mergeSubstreams();
        // end
        assertThat(all(counts)).containsExactlyInAnyOrder("a: 3", "b: 2");
    }

    @Test
    void onSubstreams() throws Exception {
        // snippet: onSubstreams
        Source<Integer, NotUsed> letters = Source.of("ant", "bee", "asp", "hornet")
                .groupBy(26, word -> word.charAt(0))
                .map(String::length)
                .fold(0, Integer::sum)
                .mergeSubstreams();
        // end
        assertThat(all(letters)).containsExactlyInAnyOrder(6, 3, 6);
    }

    @Test
    void keyedSources() throws Exception {
        Source<Integer, NotUsed> changes = Source.range(-1000, 3);
        // snippet: keyedSources
        Source<Integer, NotUsed> gains = changes.groupBy(
                        GroupBySettings.of(2).withIdleTimeout(Duration.ofMinutes(1)), n -> n > 0 ? "gain" : "loss")
                .keyedSources()
                .filter(one -> {
                    boolean isWanted = one.key().equals("gain");
                    if (!isWanted) {
                        one.cancel();
                    }
                    return isWanted;
                })
                .flatMapMerge(2, KeyedSource::source);
        // end
        assertThat(all(gains)).containsExactly(1, 2);
    }

    @Test
    void splitWhen() throws Exception {
        // snippet: splitWhen
        Source<String, NotUsed> parts = Source.of("#a", "1", "2", "#b", "3")
                .splitWhen(line -> line.startsWith("#"))
                .reduce((all, line) -> all + " " + line)
                .concatSubstreams();
        // end
        assertThat(all(parts)).containsExactly("#a 1 2", "#b 3");
    }

    @Test
    void splitAfter() throws Exception {
        // snippet: splitAfter
        Source<String, NotUsed> sentences = Source.of("It", "rains.", "So", "what.")
                .splitAfter(word -> word.endsWith("."))
                .reduce((all, word) -> all + " " + word)
                .concatSubstreams();
        // end
        assertThat(all(sentences)).containsExactly("It rains.", "So what.");
    }

    @Test
    void prefixAndTail() throws Exception {
        // snippet: prefixAndTail
        Source<String, NotUsed> labelled = Source.of("unit=m", "1", "2")
                .prefixAndTail(1)
                .flatMapConcat(
                        split -> split.second().map(n -> n + " " + split.first().get(0)));
        // end
        assertThat(all(labelled)).containsExactly("1 unit=m", "2 unit=m");
    }

    @Test
    void switchOnFirst() throws Exception {
        // snippet: switchOnFirst
        Source<Integer, NotUsed> scaled = Source.of(10, 1, 2)
                .switchOnFirst(factor -> Flow.<Integer>create().drop(1).map(n -> n * factor));
        // end
        assertThat(all(scaled)).containsExactly(10, 20);
    }

    @Test
    void flatMapConcat() throws Exception {
        // snippet: flatMapConcat
        Source<Integer, NotUsed> ranges = Source.of(1, 10).flatMapConcat(n -> Source.range(n, n + 3));
        // end
        assertThat(all(ranges)).containsExactly(1, 2, 3, 10, 11, 12);
    }

    @Test
    void flatMapMerge() throws Exception {
        // snippet: flatMapMerge
        Source<String, NotUsed> pages =
                Source.range(0, 100).flatMapMerge(8, page -> Source.lazy(() -> Source.of(page + "a", page + "b")));
        // end
        assertThat(all(pages)).hasSize(200).contains("0a", "99b");
    }

    @Test
    void switchMap() throws Exception {
        // snippet: switchMap
        Source<String, NotUsed> hits = Source.of("mill").switchMap(query -> Source.of(query + "race", query + "stone"));
        // end
        assertThat(all(hits)).containsExactly("millrace", "millstone");
    }

    @Test
    void expandRecursively() throws Exception {
        // snippet: expandRecursively
        Source<Integer, NotUsed> tree =
                Source.single(1).expandRecursively(n -> n < 4 ? Source.of(2 * n, 2 * n + 1) : Source.empty());
        // end
        assertThat(all(tree)).containsExactly(1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void lazy() throws Exception {
        // snippet: lazy
        Flow<String, String, CompletionStage<NotUsed>> numbered = Flow.lazy(() -> {
            Iterator<Integer> numbers = Stream.iterate(1, n -> n + 1).iterator(); // made when the first element comes
            return Flow.of((String line) -> numbers.next() + " " + line);
        });
        Source<String, NotUsed> lines = Source.of("a", "b").via(numbered);
        // end
        assertThat(all(lines)).containsExactly("1 a", "2 b");
        assertThat(all(lines)).containsExactly("1 a", "2 b");
    }

    @Test
    void fromCompletionStage() throws Exception {
        // snippet: fromCompletionStage
        CompletionStage<Integer> rate = CompletableFuture.supplyAsync(() -> 3); // asked of a service
        Source<Integer, NotUsed> converted = Source.of(1, 2)
                .via(Flow.fromCompletionStage(rate.thenApply(factor -> Flow.of((Integer n) -> n * factor))));
        // end
        assertThat(all(converted)).containsExactly(3, 6);
    }
}
