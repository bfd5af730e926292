package io.millrace.docs.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Source;
import io.millrace.streams.failure.StreamLimitReachedException;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Signal;
import io.millrace.streams.graph.Timestamped;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/operators/elements.md. */
final class ElementsExamplesTest extends ExamplesTest {

    @Test
    void mapReplacesEachElement() throws Exception {
        // snippet: map
        List<Integer> tens = all(Source.of(1, 2, 3).map(n -> n * 10));
        assertThat(tens).containsExactly(10, 20, 30);
        // end
    }

    @Test
    void mapConcatReplacesEachElementByAnyNumber() throws Exception {
        // snippet: mapConcat
        List<String> words = all(Source.of("to be or", "not to be").mapConcat(line -> List.of(line.split(" "))));
        assertThat(words).containsExactly("to", "be", "or", "not", "to", "be");
        // end
    }

    @Test
    void statefulMapRemembers() throws Exception {
        // snippet: statefulMap
        List<String> lines = all(Source.of("a", "b", "c")
                .statefulMap(
                        () -> 1,
                        (number, line) -> new Pair<>(number + 1, number + ": " + line),
                        number -> Optional.of(number - 1 + " lines")));
        assertThat(lines).containsExactly("1: a", "2: b", "3: c", "3 lines");
        // end
    }

    @Test
    void mapWithResourceClosesWhatItOpens(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("texts");
        // snippet: mapWithResource
        List<Integer> bytes = all(Source.of("a", "bc")
                .mapWithResource(
                        () -> Files.newBufferedWriter(file),
                        (writer, text) -> {
                            writer.write(text);
                            return text.length();
                        },
                        writer -> {
                            writer.close();
                            return Optional.empty();
                        }));
        assertThat(bytes).containsExactly(1, 2);
        // end
        assertThat(file).hasContent("abc");
    }

    @Test
    void zipWithIndexCounts() throws Exception {
        // snippet: zipWithIndex
        List<Pair<String, Long>> indexed = all(Source.of("a", "b").zipWithIndex());
        assertThat(indexed).containsExactly(new Pair<>("a", 0L), new Pair<>("b", 1L));
        // end
    }

    @Test
    void timestampSaysWhen() throws Exception {
        // snippet: timestamp
        List<Timestamped<String>> times = all(Source.of("a", "b").timestamp());
        long betweenNanos = times.get(1).atNanos() - times.get(0).atNanos();
        // end
        assertThat(betweenNanos).isNotNegative();
    }

    @Test
    void scanEmitsEveryResult() throws Exception {
        // snippet: scan
        List<Integer> sums = all(Source.of(1, 2, 3).scan(0, Integer::sum));
        assertThat(sums).containsExactly(0, 1, 3, 6);
        // end
    }

    @Test
    void foldEmitsOneResult() throws Exception {
        // snippet: fold
        List<Integer> sum = all(Source.of(1, 2, 3).fold(10, Integer::sum));
        assertThat(sum).containsExactly(16);
        // end
    }

    @Test
    void reduceEmitsOneResult() throws Exception {
        // snippet: reduce
        List<Integer> greatest = all(Source.of(3, 5, 4).reduce(Integer::max));
        assertThat(greatest).containsExactly(5);
        // end
    }

    @Test
    void intersperseSeparates() throws Exception {
        // snippet: intersperse
        List<String> json = all(Source.of("1", "2", "3").intersperse("[", ",", "]"));
        assertThat(String.join("", json)).isEqualTo("[1,2,3]");
        // end
    }

    @Test
    void materializeMakesValuesOfSignals() throws Exception {
        // snippet: materialize
        RuntimeException failure = new IllegalStateException("no more");
        List<Signal<String>> signals =
                all(Source.of("a").concat(Source.failed(failure)).materialize());
        assertThat(signals).containsExactly(new Signal.Next<>("a"), new Signal.Failed<>(failure));
        // end
    }

    @Test
    void dematerializeDoesWhatSignalsSay() throws Exception {
        // snippet: dematerialize
        List<String> elements =
                all(Source.<Signal<String>>of(new Signal.Next<>("a"), new Signal.Completed<>(), new Signal.Next<>("b"))
                        .dematerialize(signal -> signal));
        assertThat(elements).containsExactly("a");
        // end
    }

    @Test
    void filterKeeps() throws Exception {
        // snippet: filter
        List<Integer> even = all(Source.range(1, 7).filter(n -> n % 2 == 0));
        assertThat(even).containsExactly(2, 4, 6);
        // end
    }

    @Test
    void filterNotDrops() throws Exception {
        // snippet: filterNot
        List<String> filled = all(Source.of("a", "", "b").filterNot(String::isEmpty));
        assertThat(filled).containsExactly("a", "b");
        // end
    }

    @Test
    void collectTypeCasts() throws Exception {
        // snippet: collectType
        List<String> texts = all(Source.<Object>of(1, "two", 3.0).collectType(String.class));
        assertThat(texts).containsExactly("two");
        // end
    }

    @Test
    void distinctRemembersAll() throws Exception {
        // snippet: distinct
        List<String> firstOfEachLength = all(Source.of("a", "b", "cd", "e").distinct(String::length));
        assertThat(firstOfEachLength).containsExactly("a", "cd");
        // end
    }

    @Test
    void dropRepeatedRemembersOne() throws Exception {
        // snippet: dropRepeated
        List<Integer> changes = all(Source.of(1, 1, 2, 2, 1).dropRepeated());
        assertThat(changes).containsExactly(1, 2, 1);
        // end
    }

    @Test
    void takeEnds() throws Exception {
        // snippet: take
        List<Integer> first = all(Source.repeat(7).take(2));
        assertThat(first).containsExactly(7, 7);
        // end
    }

    @Test
    void takeWhileEnds() throws Exception {
        // snippet: takeWhile
        List<Integer> small = all(Source.of(1, 2, 9, 3).takeWhile(n -> n < 5));
        assertThat(small).containsExactly(1, 2);
        // end
    }

    @Test
    void takeThroughEndsAfter() throws Exception {
        // snippet: takeThrough
        List<Integer> smallAndOneMore = all(Source.of(1, 2, 9, 3).takeThrough(n -> n < 5));
        assertThat(smallAndOneMore).containsExactly(1, 2, 9);
        // end
    }

    @Test
    void takeUntilEndsAfter() throws Exception {
        // snippet: takeUntil
        List<String> untilEnd = all(Source.of("a", "b", "end", "c").takeUntil(line -> line.equals("end")));
        assertThat(untilEnd).containsExactly("a", "b", "end");

        List<String> untilSignal = all(Source.<String>never().takeUntil(Source.single("now")));
        assertThat(untilSignal).isEmpty();
        // end
    }

    @Test
    void skipUntilWaits() throws Exception {
        // snippet: skipUntil
        List<Integer> none = all(Source.of(1, 2, 3).skipUntil(Source.never()));
        assertThat(none).isEmpty();
        // end
    }

    @Test
    void dropSkips() throws Exception {
        // snippet: drop
        List<Integer> rest = all(Source.of(1, 2, 3).drop(2));
        assertThat(rest).containsExactly(3);
        // end
    }

    @Test
    void skipLastHoldsBack() throws Exception {
        // snippet: skipLast
        List<Integer> body = all(Source.of(1, 2, 3).skipLast(1));
        assertThat(body).containsExactly(1, 2);
        // end
    }

    @Test
    void defaultIfEmptyStandsIn() throws Exception {
        // snippet: defaultIfEmpty
        List<String> names = all(Source.<String>empty().defaultIfEmpty("nobody"));
        assertThat(names).containsExactly("nobody");
        // end
    }

    @Test
    void repeatTimesRunsAgain() throws Exception {
        // snippet: repeatTimes
        List<Integer> twice = all(Source.of(1, 2).repeatTimes(2));
        assertThat(twice).containsExactly(1, 2, 1, 2);
        // end
    }

    @Test
    void dropWhileSkips() throws Exception {
        // snippet: dropWhile
        List<String> body = all(Source.of("#", "#", "a", "#").dropWhile(line -> line.equals("#")));
        assertThat(body).containsExactly("a", "#");
        // end
    }

    @Test
    void limitFails() throws Exception {
        // snippet: limit
        assertThat(all(Source.of(1, 2).limit(2))).containsExactly(1, 2);
        assertThat(failureOf(Source.of(1, 2, 3).limit(2))).isInstanceOf(StreamLimitReachedException.class);
        // end
    }

    @Test
    void limitWeightedFails() throws Exception {
        // snippet: limitWeighted
        assertThat(all(Source.of("ab", "c").limitWeighted(3, String::length))).containsExactly("ab", "c");
        assertThat(failureOf(Source.of("ab", "cd").limitWeighted(3, String::length)))
                .isInstanceOf(StreamLimitReachedException.class);
        // end
    }

    @Test
    void groupedCounts() throws Exception {
        // snippet: grouped
        List<List<Integer>> pairs = all(Source.of(1, 2, 3).grouped(2));
        assertThat(pairs).containsExactly(List.of(1, 2), List.of(3));
        // end
    }

    @Test
    void groupedWeightedWeighs() throws Exception {
        // snippet: groupedWeighted
        List<List<String>> packets = all(Source.of("ab", "c", "defg", "h").groupedWeighted(3, String::length));
        assertThat(packets).containsExactly(List.of("ab", "c"), List.of("defg"), List.of("h"));
        // end
    }

    @Test
    void slidingOverlaps() throws Exception {
        // snippet: sliding
        List<List<Integer>> windows = all(Source.of(1, 2, 3, 4).sliding(3, 2));
        assertThat(windows).containsExactly(List.of(1, 2, 3), List.of(3, 4));
        // end
    }

    @Test
    void aggregateWithBoundaryDecides() throws Exception {
        // snippet: aggregateWithBoundary
        List<String> sentences = all(Source.of("to", "be.", "or", "not")
                .aggregateWithBoundary(
                        () -> "", (text, word) -> new Pair<>(text + word + " ", word.endsWith(".")), String::strip));
        assertThat(sentences).containsExactly("to be.", "or not");
        // end
    }
}
