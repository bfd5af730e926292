package io.millrace.docs.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Flow;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.FanInShape2;
import io.millrace.streams.graph.FanOutShape;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of docs/operators/junctions.md. */
class JunctionsExamplesTest {
    private final StreamRuntime runtime = StreamRuntime.create();

    @AfterEach
    void close() {
        runtime.close();
    }

    private <T> List<T> run(Source<T, ?> source) throws Exception {
        return await(source.runWith(Sink.seq(), runtime));
    }

    /** What a sink beside the line has seen, which may come a little later than the end of the line. */
    private static void assertEventually(List<Integer> seen, Integer... expected) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (seen.size() < expected.length && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(seen).containsExactly(expected);
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void concat() throws Exception {
        // snippet: concat
        Source<String, NotUsed> all = Source.of("a", "b").concat(Source.of("c"));
        // end
        assertThat(run(all)).containsExactly("a", "b", "c");
    }

    @Test
    void concatLazy() throws Exception {
        List<Integer> opened = new ArrayList<>();
        // snippet: concatLazy
        Source<Integer, NotUsed> pages = Source.of(1, 2).concatLazy(Source.lazy(() -> {
            opened.add(3);
            return Source.of(3);
        }));
        assertThat(run(pages.take(2))).containsExactly(1, 2);
        assertThat(opened).isEmpty(); // nobody came as far as the second source
        // end
    }

    @Test
    void concatDelayError() throws Exception {
        List<Integer> seen = new ArrayList<>();
        // snippet: concatDelayError
        Source<Integer, NotUsed> all = Source.of(1)
                .concat(Source.failed(new IllegalStateException("first source")))
                .concatDelayError(Source.of(2, 3));
        CompletionStage<Done> end = all.runWith(Sink.foreach(seen::add), runtime);
        // end
        assertThatThrownBy(() -> await(end)).hasRootCauseMessage("first source");
        assertThat(seen).containsExactly(1, 2, 3);
    }

    @Test
    void prepend() throws Exception {
        // snippet: prepend
        Source<String, NotUsed> file = Source.of("row 1", "row 2").prepend(Source.of("header"));
        // end
        assertThat(run(file)).containsExactly("header", "row 1", "row 2");
    }

    @Test
    void orElse() throws Exception {
        // snippet: orElse
        Source<String, NotUsed> found = Source.<String>empty().orElse(Source.of("nothing found"));
        // end
        assertThat(run(found)).containsExactly("nothing found");
    }

    @Test
    void interleave() throws Exception {
        // snippet: interleave
        Source<Integer, NotUsed> turns = Source.of(1, 2, 3, 4).interleave(Source.of(10, 20), 1, false);
        // end
        assertThat(run(turns)).containsExactly(1, 10, 2, 20, 3, 4);
    }

    @Test
    void merge() throws Exception {
        // snippet: merge
        Source<Integer, NotUsed> both = Source.of(1, 2).merge(Source.of(10, 20));
        // end
        assertThat(run(both)).containsExactlyInAnyOrder(1, 2, 10, 20);
    }

    @Test
    void mergePreferred() throws Exception {
        // snippet: mergePreferred
        Source<String, NotUsed> commandsFirst = Source.of("data 1", "data 2").mergePreferred(Source.of("stop"), true);
        // end
        assertThat(run(commandsFirst)).containsExactlyInAnyOrder("data 1", "data 2", "stop");
    }

    @Test
    void mergePrioritized() throws Exception {
        // snippet: mergePrioritized
        Source<String, NotUsed> mostlyGold = Source.repeat("gold").mergePrioritized(Source.repeat("free"), 3, 1);
        long gold = run(mostlyGold.take(400)).stream().filter("gold"::equals).count();
        // end
        assertThat(gold).isBetween(280L, 320L);
    }

    @Test
    void mergeSorted() throws Exception {
        // snippet: mergeSorted
        Source<Integer, NotUsed> sorted = Source.of(1, 4, 6).mergeSorted(Source.of(2, 3, 7), Comparator.naturalOrder());
        // end
        assertThat(run(sorted)).containsExactly(1, 2, 3, 4, 6, 7);
    }

    @Test
    void mergeSequence() throws Exception {
        // snippet: mergeSequence
        Source<Pair<String, Long>, NotUsed> numbered =
                Source.of("a", "b", "c", "d").zipWithIndex();
        Source<String, NotUsed> again = numbered.filter(pair -> pair.second() % 2 == 0)
                .mergeSequence(numbered.filter(pair -> pair.second() % 2 == 1), Pair::second)
                .map(Pair::first);
        // end
        assertThat(run(again)).containsExactly("a", "b", "c", "d");
    }

    @Test
    void mergeDelayError() throws Exception {
        List<Integer> seen = new ArrayList<>();
        // snippet: mergeDelayError
        CompletionStage<Done> end = Source.<Integer>failed(new IllegalStateException("one of two"))
                .mergeDelayError(Source.of(1, 2, 3))
                .runWith(Sink.foreach(seen::add), runtime);
        // end
        assertThatThrownBy(() -> await(end)).hasRootCauseMessage("one of two");
        assertThat(seen).containsExactly(1, 2, 3);
    }

    @Test
    void mergeLatest() throws Exception {
        // snippet: mergeLatest
        Source<List<String>, NotUsed> state = Source.of("19 C").mergeLatest(Source.of("55 %"));
        // end
        assertThat(run(state)).containsExactly(List.of("19 C", "55 %"));
    }

    @Test
    void firstOf() throws Exception {
        // snippet: firstOf
        Source<String, NotUsed> answer = Source.<String>never().firstOf(Source.of("from the replica"));
        // end
        assertThat(run(answer)).containsExactly("from the replica");
    }

    @Test
    void zip() throws Exception {
        // snippet: zip
        Source<Pair<String, Integer>, NotUsed> pairs = Source.of("a", "b", "c").zip(Source.of(1, 2));
        // end
        assertThat(run(pairs)).containsExactly(new Pair<>("a", 1), new Pair<>("b", 2));
    }

    @Test
    void zipWith() throws Exception {
        // snippet: zipWith
        Source<Integer, NotUsed> sums = Source.of(1, 2, 3).zipWith(Source.of(10, 20, 30), Integer::sum);
        // end
        assertThat(run(sums)).containsExactly(11, 22, 33);
    }

    @Test
    void zipAll() throws Exception {
        // snippet: zipAll
        Source<Pair<String, Integer>, NotUsed> pairs = Source.of("a", "b").zipAll(Source.of(1), "-", 0);
        // end
        assertThat(run(pairs)).containsExactly(new Pair<>("a", 1), new Pair<>("b", 0));
    }

    @Test
    void zipLatest() throws Exception {
        // snippet: zipLatest
        Source<Pair<Integer, String>, NotUsed> prices = Source.of(100).zipLatest(Source.of("EUR"));
        // end
        assertThat(run(prices)).containsExactly(new Pair<>(100, "EUR"));
    }

    @Test
    void zipLatestWith() throws Exception {
        // snippet: zipLatestWith
        Source<Double, NotUsed> euros =
                Source.of(100.0).zipLatestWith(Source.of(0.9), (dollars, rate) -> dollars * rate);
        // end
        assertThat(run(euros)).containsExactly(90.0);
    }

    @Test
    void withLatestFrom() throws Exception {
        // snippet: withLatestFrom
        Source<String, NotUsed> settings = Source.of("dark").concat(Source.never());
        Source<String, NotUsed> pages = Source.tick(Duration.ofMillis(5), Duration.ofMillis(5), "page")
                .mapMaterializedValue(timer -> NotUsed.NOT_USED)
                .withLatestFrom(settings, (page, setting) -> setting + " " + page);
        // end
        assertThat(run(pages.take(1))).containsExactly("dark page");
    }

    @Test
    void alsoTo() throws Exception {
        List<Integer> audit = new CopyOnWriteArrayList<>();
        // snippet: alsoTo
        CompletionStage<Integer> sum =
                Source.of(1, 2, 3).alsoTo(Sink.foreach(audit::add)).runWith(Sink.fold(0, Integer::sum), runtime);
        // end
        assertThat(await(sum)).isEqualTo(6);
        assertEventually(audit, 1, 2, 3);
    }

    @Test
    void alsoToAll() throws Exception {
        List<Integer> audit = new CopyOnWriteArrayList<>();
        List<Integer> index = new CopyOnWriteArrayList<>();
        // snippet: alsoToAll
        Source<Integer, NotUsed> watched =
                Source.of(1, 2).alsoToAll(List.of(Sink.foreach(audit::add), Sink.foreach(index::add)));
        // end
        assertThat(run(watched)).containsExactly(1, 2);
        assertEventually(audit, 1, 2);
        assertEventually(index, 1, 2);
    }

    @Test
    void wireTap() throws Exception {
        List<Integer> samples = new CopyOnWriteArrayList<>();
        // snippet: wireTap
        Source<Integer, NotUsed> watched = Source.of(1, 2, 3).wireTap(Sink.foreach(samples::add));
        // end
        assertThat(run(watched)).containsExactly(1, 2, 3);
        assertEventually(samples, 1, 2, 3);
    }

    @Test
    void divertTo() throws Exception {
        List<Integer> tooBig = new CopyOnWriteArrayList<>();
        // snippet: divertTo
        Source<Integer, NotUsed> small = Source.of(1, 500, 2).divertTo(Sink.foreach(tooBig::add), n -> n > 100);
        // end
        assertThat(run(small)).containsExactly(1, 2);
        assertEventually(tooBig, 500);
    }

    @Test
    void balance() throws Exception {
        // snippet: balance
        Flow<String, Integer, NotUsed> worker =
                Flow.<String, Integer>of(String::length).async();
        Source<Integer, NotUsed> lengths = Source.of("a", "bb", "ccc").balance(2, worker);
        // end
        assertThat(run(lengths)).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void parallel() throws Exception {
        // snippet: parallel
        Flow<Integer, Integer, NotUsed> rail = Flow.of(n -> n * n);
        Source<Integer, NotUsed> squares = Source.range(0, 4).parallel(2, rail);
        // end
        assertThat(run(squares)).containsExactlyInAnyOrder(0, 1, 4, 9);
    }

    @Test
    void parallelOrdered() throws Exception {
        // snippet: parallelOrdered
        Flow<Integer, Integer, NotUsed> rail = Flow.of(n -> n * n);
        Source<Integer, NotUsed> squares = Source.range(0, 4).parallelOrdered(2, rail);
        // end
        assertThat(run(squares)).containsExactly(0, 1, 4, 9);
    }

    @Test
    void fanIn() throws Exception {
        // snippet: fan-in
        Source<Integer, NotUsed> three = Source.fromGraph(GraphBuilder.create(builder -> {
            FanInShape<Integer, Integer> join =
                    builder.add(Junctions.mergeSorted(3, Comparator.<Integer>naturalOrder()));
            builder.connect(builder.add(Source.of(1, 6)).out(), join.in(0));
            builder.connect(builder.add(Source.of(2, 5)).out(), join.in(1));
            builder.connect(builder.add(Source.of(3, 4)).out(), join.in(2));
            return SourceShape.of(join.out());
        }));
        // end
        assertThat(run(three)).containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void fanOut() throws Exception {
        // snippet: fan-out
        Sink<Integer, Pair<CompletionStage<Integer>, CompletionStage<List<Integer>>>> sumAndList =
                Sink.fromGraph(GraphBuilder.create(
                        Sink.fold(0, Integer::sum), Sink.<Integer>seq(), Keep.both(), (builder, sum, list) -> {
                            FanOutShape<Integer, Integer> split = builder.add(Junctions.<Integer>broadcast(2));
                            builder.connect(split.out(0), sum.in()).connect(split.out(1), list.in());
                            return SinkShape.of(split.in());
                        }));
        // end
        var values = Source.of(1, 2).runWith(sumAndList, runtime);
        assertThat(await(values.first())).isEqualTo(3);
        assertThat(await(values.second())).containsExactly(1, 2);
    }

    @Test
    void partition() throws Exception {
        // snippet: partition
        Sink<Integer, Pair<CompletionStage<Integer>, CompletionStage<List<Integer>>>> evenSumAndOdd =
                Sink.fromGraph(GraphBuilder.create(
                        Sink.fold(0, Integer::sum), Sink.<Integer>seq(), Keep.both(), (builder, even, odd) -> {
                            FanOutShape<Integer, Integer> split =
                                    builder.add(Junctions.<Integer>partition(2, n -> n % 2));
                            builder.connect(split.out(0), even.in()).connect(split.out(1), odd.in());
                            return SinkShape.of(split.in());
                        }));
        // end
        var values = Source.of(1, 2, 3, 4).runWith(evenSumAndOdd, runtime);
        assertThat(await(values.first())).isEqualTo(6);
        assertThat(await(values.second())).containsExactly(1, 3);
    }

    @Test
    void zipGraph() throws Exception {
        // snippet: zip-graph
        Flow<Integer, Integer, NotUsed> withItsSquare = Flow.fromGraph(GraphBuilder.create(builder -> {
            FanOutShape<Integer, Integer> split = builder.add(Junctions.<Integer>broadcast(2));
            FanInShape2<Integer, Integer, Integer> join = builder.add(Junctions.zipWith(Integer::sum));
            builder.connect(split.out(0), join.in0());
            builder.connect(builder.connect(split.out(1), Flow.<Integer, Integer>of(n -> n * n)), join.in1());
            return FlowShape.of(split.in(), join.out());
        }));
        // end
        assertThat(run(Source.of(2, 3).via(withItsSquare))).containsExactly(6, 12);
    }

    @Test
    void unzip() throws Exception {
        // snippet: unzip
        Graph<SinkShape<Pair<Integer, String>>, Pair<CompletionStage<List<Integer>>, CompletionStage<List<String>>>>
                apart = GraphBuilder.create(
                        Sink.<Integer>seq(), Sink.<String>seq(), Keep.both(), (builder, numbers, words) -> {
                            var split = builder.add(Junctions.<Integer, String>unzip());
                            builder.connect(split.out0(), numbers.in()).connect(split.out1(), words.in());
                            return SinkShape.of(split.in());
                        });
        // end
        var values = Source.of(new Pair<>(1, "one"), new Pair<>(2, "two")).runWith(apart, runtime);
        assertThat(await(values.first())).containsExactly(1, 2);
        assertThat(await(values.second())).containsExactly("one", "two");
    }
}
