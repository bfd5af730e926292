package io.millrace.streams.engine.island;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.engine.RandomJunctions;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Supervision;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.EventFuzz;
import io.millrace.testkit.StreamLeakCheck;
import io.millrace.testkit.TestSink;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Elements that a stage takes from the one above by calls instead of events: nobody can tell. */
@Timeout(120)
final class BatchSourceTest {
    private static final int ROUNDS = Boolean.getBoolean("millrace.deep") ? 20_000 : 300;

    private final List<StreamException> reported = new CopyOnWriteArrayList<>();
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withFailureReporter(reported::add));

    @AfterEach
    void nothingMayBeLeft() {
        StreamLeakCheck.assertNoStreams(runtime);
        runtime.close();
    }

    @Test
    void randomTreesOfJunctionsEmitWhatLoopsMake() throws Exception {
        SplittableRandom seeds = new SplittableRandom();
        for (int round = 0; round < ROUNDS; round++) {
            long seed = seeds.nextLong();
            RandomJunctions random = new RandomJunctions(seed);
            RandomJunctions.Drawn drawn = random.draw(3);
            String what = "seed " + seed + "L: " + drawn.text();
            List<Integer> expected = drawn.expected();
            if (random.isMerged()) {
                expected = expected.stream().sorted().toList();
            }
            assertThat(await(inOrder(drawn.source().runWith(Sink.seq(), runtime), random)))
                    .as(what)
                    .isEqualTo(expected);
            assertThat(await(inOrder(drawn.source().async().runWith(Sink.seq(), runtime), random)))
                    .as(what + ", over a boundary")
                    .isEqualTo(expected);
            assertThat(await(inOrder(sinkFirst(drawn.source()).run(runtime), random)))
                    .as(what + ", behind a sink that starts before it")
                    .isEqualTo(expected);
        }
    }

    /** A graph whose stages start from its end on, as they do in the order in which they were added. */
    private static RunnableGraph<CompletionStage<List<Integer>>> sinkFirst(Source<Integer, NotUsed> source) {
        return RunnableGraph.fromGraph(GraphBuilder.create(Sink.<Integer>seq(), (builder, sink) -> {
            builder.connect(builder.add(source).out(), sink.in());
            return ClosedShape.of();
        }));
    }

    private static CompletionStage<List<Integer>> inOrder(CompletionStage<List<Integer>> all, RandomJunctions random) {
        return random.isMerged() ? all.thenApply(list -> list.stream().sorted().toList()) : all;
    }

    @Test
    void theSameHoldsOneByOneAndInAnyOrderOfEvents() {
        SplittableRandom seeds = new SplittableRandom();
        for (int round = 0; round < ROUNDS / 4; round++) {
            long seed = seeds.nextLong();
            EventFuzz.runOnce(seed, shuffled -> {
                RandomJunctions random = new RandomJunctions(seed);
                RandomJunctions.Drawn drawn = random.draw(2);
                List<Integer> seen = oneByOne(drawn.source(), drawn.expected().size(), shuffled);
                List<Integer> expected = drawn.expected();
                if (random.isMerged()) {
                    seen.sort(null);
                    expected = expected.stream().sorted().toList();
                }
                assertThat(seen).as(drawn.text()).isEqualTo(expected);
            });
        }
    }

    @Test
    void aMergeTakesBatchesOfItsInputsInTurn() throws Exception {
        List<Integer> all = await(
                Source.range(0, 10_000).merge(Source.range(10_000, 20_000)).runWith(Sink.seq(), runtime));
        long changes = IntStream.range(1, all.size())
                .filter(i -> (all.get(i - 1) < 10_000) != (all.get(i) < 10_000))
                .count();
        assertThat(changes).isBetween(2L, 1_600L);
    }

    private static List<Integer> oneByOne(Source<Integer, NotUsed> source, int count, StreamRuntime runtime) {
        TestSink<Integer> probe = source.runWith(TestSink.probe(), runtime);
        List<Integer> seen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            seen.add(probe.request(1).expectNext());
        }
        probe.request(1);
        probe.expectComplete(); // what is dropped after the last element needs demand, too
        return seen;
    }

    @Test
    void completionComesWithTheLastElement() {
        TestSink<Integer> probe = Source.of(1)
                .concat(Source.of(2).mapConcat(List::of))
                .zipWith(Source.of(10, 20), Integer::sum)
                .map(x -> x * 2)
                .runWith(TestSink.probe(), runtime);
        assertThat(probe.request(1).expectNext()).isEqualTo(22);
        assertThat(probe.request(1).expectNext()).isEqualTo(44);
        probe.expectComplete();
    }

    @Test
    void anElementWhoseOtherHalfComesLaterWaitsForIt() {
        TestSink<Integer> left = Source.range(0, 3)
                .zipWith(Source.range(0, 1).concat(Source.range(10, 12).async().map(x -> x)), Integer::sum)
                .map(x -> x)
                .runWith(TestSink.probe(), runtime);
        left.request(4);
        assertThat(left.expectNext()).isZero();
        assertThat(left.expectNext()).isEqualTo(11);
        assertThat(left.expectNext()).isEqualTo(13);
        left.expectComplete();
    }

    @Test
    void failuresNameTheStageThatThrewHoweverItsElementsAreTaken() {
        assertThatThrownBy(() -> await(Source.range(0, 10)
                        .concat(Source.from(BatchSourceTest::failing))
                        .zipWith(Source.range(0, 100), Integer::sum)
                        .runWith(Sink.seq(), runtime)))
                .hasRootCauseMessage("the iterator");
        assertThat(reported).hasSize(1).first().satisfies(e -> assertThat(e).hasMessageContaining("iterable"));
        reported.clear();
        assertThatThrownBy(() -> await(Source.range(0, 10)
                        .zipWith(Source.range(0, 10), (a, b) -> a / (b - 5))
                        .concat(Source.of(1))
                        .runWith(Sink.seq(), runtime)))
                .hasRootCauseInstanceOf(ArithmeticException.class);
        assertThat(reported).hasSize(1).first().satisfies(e -> assertThat(e).hasMessageContaining("zipWith"));
        reported.clear();
        assertThatThrownBy(() -> await(Source.range(0, 10)
                        .map(x -> x / (x - 5))
                        .merge(Source.range(0, 100))
                        .runWith(Sink.seq(), runtime)))
                .hasRootCauseInstanceOf(ArithmeticException.class);
        assertThat(reported).hasSize(1).first().satisfies(e -> assertThat(e).hasMessageContaining("map"));
        reported.clear();
        assertThatThrownBy(() -> await(Source.range(0, 10)
                        .flatMapConcat(x -> Source.of(x / (x - 5)))
                        .concat(Source.of(1))
                        .runWith(Sink.seq(), runtime)))
                .hasRootCauseInstanceOf(ArithmeticException.class);
        assertThat(reported).hasSize(1).first().satisfies(e -> assertThat(e).hasMessageContaining("flatMapConcat"));
    }

    @Test
    void aFutureThatFailsEndsTheStreamAfterTheResultsBeforeIt() throws Exception {
        assertThat(await(Source.range(0, 10)
                        .mapAsync(4, x -> CompletableFuture.completedFuture(10 / (x - 5)))
                        .recover(failure -> 99)
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(-2, -2, -3, -5, -10, 99);
        assertThat(await(Source.range(0, 10)
                        .mapAsync(
                                4,
                                x -> x == 5
                                        ? CompletableFuture.<Integer>failedFuture(new IllegalStateException("five"))
                                        : CompletableFuture.completedFuture(x))
                        .recover(failure -> 99)
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(0, 1, 2, 3, 4, 99);
        assertThat(await(Source.range(0, 10)
                        .mapAsync(4, x -> CompletableFuture.completedFuture(10 / (x - 5)))
                        .withAttributes(Attributes.of(Supervision.resume()))
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(-2, -2, -3, -5, -10, 10, 5, 3, 2);
    }

    @Test
    void asManyFuturesRunAtOnceAsThereMayBeWhenOneIsNotThere() throws Exception {
        List<CompletableFuture<Integer>> begun = new CopyOnWriteArrayList<>();
        var all = Source.range(0, 10)
                .mapAsync(3, x -> {
                    CompletableFuture<Integer> future =
                            x < 4 ? CompletableFuture.completedFuture(x) : new CompletableFuture<>();
                    begun.add(future);
                    return future;
                })
                .runWith(Sink.seq(), runtime);
        for (int i = 4; i < 10; i++) {
            int most = Math.min(10, i + 3);
            Await.until("three are under way", () -> begun.size() == most);
            begun.get(i).complete(i);
        }
        assertThat(await(all)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    private static Iterator<Integer> failing() {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Integer next() {
                throw new IllegalStateException("the iterator");
            }
        };
    }

    @Test
    void supervisionIsThatOfTheStageThatThrew() throws Exception {
        Attributes resuming = Attributes.of(Supervision.resume());
        assertThat(await(Source.range(0, 5)
                        .map(x -> 10 / (x - 2))
                        .withAttributes(resuming)
                        .concat(Source.range(0, 3)
                                .mapConcat(x -> List.of(10 / (x - 1)))
                                .withAttributes(resuming))
                        .zipWith(Source.range(0, 100), (a, b) -> a)
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(-5, -10, 10, 5, -10, 10);
    }

    @Test
    @Behaviour("INT-2")
    void whatFeedsForEverLetsAStreamBeStopped() throws Exception {
        CountDownLatch passing = new CountDownLatch(100_000);
        Source<Integer, UniqueKillSwitch> endless = Source.repeat(1)
                .merge(Source.repeat(2).mapConcat(x -> List.<Integer>of()))
                .concat(Source.repeat(3))
                .filter(x -> {
                    passing.countDown();
                    return x > 5;
                })
                .flatMapConcat(Source::of)
                .viaMat(KillSwitches.single(), Keep.right());
        var running = endless.toMat(Sink.seq(), Keep.both()).run(runtime);
        assertThat(passing.await(60, TimeUnit.SECONDS)).isTrue();
        running.first().shutdown();
        assertThat(await(running.second())).isEmpty();
    }

    @Test
    @Behaviour("INT-8")
    void aChainOfManyStagesThatFeedEachOtherNeedsNoStack() throws Exception {
        Source<Integer, NotUsed> chain = Source.range(0, 50);
        for (int i = 0; i < 20_000; i++) {
            chain = i % 2 == 0 ? chain.mapConcat(List::of) : chain.concat(Source.empty());
        }
        assertThat(await(chain.runWith(Sink.seq(), runtime)))
                .isEqualTo(IntStream.range(0, 50).boxed().toList());
    }
}
