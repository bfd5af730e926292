package io.millrace.streams.memory;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.BroadcastHub;
import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.MergeHub;
import io.millrace.streams.PartitionHub;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.RetrySettings;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is made and dropped while something goes on is kept by nobody: substreams, consumers, runs, and streams that wait for futures. */
class DroppedThingsTest {
    private static final Duration BOUND = Duration.ofMinutes(1);
    private static final int MADE = Boolean.getBoolean("millrace.deep") ? 1_000_000 : 20_000;
    private static final int LOOKS = 4;
    private static final int MAX_KEPT = 5_000;
    private static final int AT_ONCE = 100;
    private static final Backoff SOON = Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1));

    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withThreads(2).withFailureReporter(failure -> {}));
    private final Kept kept = new Kept();

    @AfterEach
    void close() {
        runtime.close();
    }

    /** Numbers that stop now and then to look at what is kept, which the stream that makes things never rests for. */
    private Source<Integer, NotUsed> numbers() {
        return Source.range(0, MADE).map(n -> {
            if (n % (MADE / LOOKS) == MADE / LOOKS - 1) {
                kept.assertAtMost(MAX_KEPT, "things");
            }
            return n;
        });
    }

    private Source<Integer, NotUsed> marked(Source<Integer, NotUsed> source) {
        Object mark = kept.mark();
        return source.map(n -> n + mark.hashCode());
    }

    @TestFactory
    @Behaviour("INT-13")
    Stream<DynamicTest> substreamsAreDroppedWhileTheOuterStreamNeverRests() {
        Map<String, Function<Source<Integer, NotUsed>, Source<Integer, ?>>> makers = new LinkedHashMap<>();
        makers.put("switchMap", s -> s.switchMap(n -> marked(endless(n, Source.empty()))));
        makers.put(
                "switchMap of runs",
                s -> s.switchMap(n -> marked(endless(n, Source.single(n))).async()));
        makers.put(
                "flatMapConcat",
                s -> s.flatMapConcat(n -> marked(Source.single(n)).async()));
        makers.put(
                "flatMapMerge",
                s -> s.flatMapMerge(8, n -> marked(Source.single(n)).async()));
        makers.put(
                "flatMapConcat of failures",
                s -> s.flatMapConcat(n -> failing(n).onErrorComplete()));
        makers.put("recoverWith", s -> s.flatMapConcat(n -> failing(n).recoverWith(e -> marked(Source.single(n)))));
        makers.put("lazy", s -> s.flatMapConcat(n -> Source.lazy(() -> marked(Source.single(n)))));
        makers.put("concat", s -> s.flatMapConcat(n -> marked(Source.single(n)).concat(marked(Source.single(n)))));
        makers.put("groupBy", s -> s.groupBy(4, n -> n % 4).via(markedFlow()).mergeSubstreams());
        makers.put("splitWhen", s -> s.splitWhen(n -> true).via(markedFlow()).concatSubstreams());
        makers.put("retry", s -> s.flatMapConcat(n -> retried()));
        makers.put("restarting", s -> s.flatMapConcat(n -> restarted(n)));
        makers.put(
                "timeouts",
                s -> s.flatMapConcat(n -> marked(Source.single(n))
                        .idleTimeout(Duration.ofHours(1))
                        .async()));
        return makers.entrySet().stream()
                .map(maker -> DynamicTest.dynamicTest(maker.getKey(), () -> {
                    await(maker.getValue().apply(numbers()).runWith(Sink.ignore(), runtime), BOUND);
                    kept.assertAtMost(AT_ONCE, "things");
                }));
    }

    private Flow<Integer, Integer, NotUsed> markedFlow() {
        return Flow.<Integer>create()
                .statefulMap(kept::mark, (mark, n) -> new Pair<>(mark, n), mark -> Optional.empty());
    }

    /** The last one ends. */
    private static Source<Integer, NotUsed> endless(int n, Source<Integer, NotUsed> first) {
        return n == MADE - 1 ? first : first.concat(Source.never());
    }

    private Source<Integer, NotUsed> failing(int n) {
        return marked(Source.<Integer>failed(new IllegalStateException("number " + n)));
    }

    private Source<Integer, NotUsed> retried() {
        AtomicInteger tries = new AtomicInteger();
        return marked(Source.single(1))
                .map(n -> {
                    if (tries.getAndIncrement() == 0) {
                        throw new IllegalStateException("the first try");
                    }
                    return n;
                })
                .retry(new RetrySettings(1, Backoff.NONE, failure -> true));
    }

    private Source<Integer, NotUsed> restarted(int n) {
        return Source.restarting(RestartSettings.of(SOON), () -> marked(Source.single(n)))
                .take(2);
    }

    @Test
    @Behaviour("INT-13")
    void runsAreDropped() throws Exception {
        for (int i = 0; i < MADE; i++) {
            await(marked(Source.single(i)).async().runWith(Sink.ignore(), runtime), BOUND);
        }
        kept.assertAtMost(AT_ONCE, "runs");
    }

    @Test
    @Behaviour({"BHUB-17", "INT-13"})
    void consumersOfABroadcastHubThatRestsAreDropped() throws Exception {
        BroadcastHub<Integer> hub = Source.<Integer>never().runWith(BroadcastHub.sink(16), runtime);
        comeAndGo(hub.source(), hub::consumerCount);
    }

    @Test
    @Behaviour({"BHUB-17", "INT-13"})
    void consumersOfAPartitionHubThatRestsAreDropped() throws Exception {
        PartitionHub<Integer> hub =
                Source.<Integer>never().runWith(PartitionHub.sink(() -> (consumers, n) -> 0), runtime);
        comeAndGo(hub.source(), hub::consumerCount);
    }

    @Test
    @Behaviour({"BHUB-17", "INT-13"})
    void producersOfAMergeHubThatRestsAreDropped() throws Exception {
        MergeHub<Integer> hub = MergeHub.<Integer>source(16).to(Sink.ignore()).run(runtime);
        for (int i = 0; i < MADE; i++) {
            await(
                    marked(Source.empty())
                            .watchTermination((none, end) -> end)
                            .to(hub.sink())
                            .run(runtime),
                    BOUND);
        }
        kept.assertAtMost(AT_ONCE, "producers");
    }

    /** One consumer stays, of a cache that has an element. */
    @Test
    @Behaviour("INT-13")
    void consumersOfACacheThatRestsAreDropped() throws Exception {
        Source<Integer, NotUsed> resting =
                Source.single(1).concat(Source.<Integer>never()).cache(runtime);
        CompletionStage<Integer> staying = resting.drop(1).runWith(Sink.head(), runtime);
        for (int i = 0; i < MADE / AT_ONCE; i++) {
            CountDownLatch come = new CountDownLatch(AT_ONCE);
            List<Pair<UniqueKillSwitch, CompletionStage<Done>>> running = new ArrayList<>();
            for (int j = 0; j < AT_ONCE; j++) {
                running.add(marked(resting)
                        .killSwitch(Keep.right())
                        .toMat(Sink.foreach(n -> come.countDown()), Keep.both())
                        .run(runtime));
            }
            Await.await(come, "all have come");
            for (Pair<UniqueKillSwitch, CompletionStage<Done>> one : running) {
                one.first().shutdown();
                await(one.second(), BOUND);
            }
        }
        kept.assertAtMost(AT_ONCE, "consumers");
        assertThat(staying.toCompletableFuture().isDone()).isFalse();
    }

    private void comeAndGo(Source<Integer, NotUsed> source, IntSupplier consumerCount) throws Exception {
        for (int i = 0; i < MADE / AT_ONCE; i++) {
            List<Pair<UniqueKillSwitch, CompletionStage<Done>>> running = new ArrayList<>();
            for (int j = 0; j < AT_ONCE; j++) {
                running.add(marked(source)
                        .killSwitch(Keep.right())
                        .toMat(Sink.ignore(), Keep.both())
                        .run(runtime));
            }
            Await.until("all have come", () -> consumerCount.getAsInt() == AT_ONCE);
            for (Pair<UniqueKillSwitch, CompletionStage<Done>> one : running) {
                one.first().shutdown();
                await(one.second(), BOUND);
            }
            Await.until("all have gone", () -> consumerCount.getAsInt() == 0);
        }
        kept.assertAtMost(AT_ONCE, "consumers");
    }

    @TestFactory
    @Behaviour("INT-13")
    Stream<DynamicTest> aFutureThatNeverCompletesKeepsNothingOfStreamsThatWaitedForIt() {
        CompletableFuture<Integer> never = new CompletableFuture<>();
        CompletableFuture<Optional<Pair<Integer, Integer>>> neverPair = new CompletableFuture<>();
        CompletableFuture<Pair<Integer, Integer>> neverState = new CompletableFuture<>();
        Source<Integer, NotUsed> one = Source.single(1);
        Map<String, Source<Integer, ?>> waiting = new LinkedHashMap<>();
        waiting.put("mapAsync", one.mapAsync(4, n -> never));
        waiting.put("mapAsyncUnordered", one.mapAsyncUnordered(4, n -> never));
        waiting.put("mapAsyncPartitioned", one.mapAsyncPartitioned(4, n -> n, n -> never));
        waiting.put(
                "statefulMapAsync", one.statefulMapAsync(() -> 0, (state, n) -> neverState, state -> Optional.empty()));
        waiting.put("scanAsync", one.scanAsync(0, (sum, n) -> never));
        waiting.put("foldAsync", one.foldAsync(0, (sum, n) -> never));
        waiting.put("fromCompletionStage", Source.fromCompletionStage(never));
        waiting.put("unfoldAsync", Source.unfoldAsync(0, state -> neverPair));
        return waiting.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
                    for (int i = 0; i < AT_ONCE; i++) {
                        Object mark = kept.mark();
                        Pair<UniqueKillSwitch, CompletionStage<Done>> running = entry.getValue()
                                .map(n -> n + mark.hashCode())
                                .killSwitch(Keep.right())
                                .toMat(Sink.ignore(), Keep.both())
                                .run(runtime);
                        running.first().shutdown();
                        await(running.second(), BOUND);
                    }
                    kept.assertAtMost(2, "streams");
                    assertThat(never.isDone()).isFalse();
                }));
    }
}
