package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.Flow;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.inspect.StageSnapshot;
import io.millrace.testkit.EventFuzz;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Junctions and lazy sources of which very many are put together. */
final class DepthTest extends EngineTest {
    private static final int MANY = 10_000;
    private static final int MILLION = 1_000_000;

    private final AtomicLong compared = new AtomicLong();
    private final Comparator<Integer> counted = (one, other) -> {
        compared.incrementAndGet();
        return Integer.compare(one, other);
    };

    private static Source<Integer, NotUsed> many(BinaryOperator<Source<Integer, NotUsed>> join) {
        Source<Integer, NotUsed> all = Source.single(0);
        for (int i = 1; i < MANY; i++) {
            all = join.apply(all, Source.single(i));
        }
        return all;
    }

    @TestFactory
    Stream<DynamicTest> manyJunctionsOfAKindRunAsOne() {
        Flow<Integer, Integer, NotUsed> flow = Flow.create();
        return Stream.of(
                one("concat", (all, next) -> all.concat(next)),
                one("concat", (all, next) -> next.concat(all)),
                one("concat", (all, next) -> all.via(flow.concat(next))),
                one("concat", (all, next) -> all.prepend(next)),
                one("concat", (all, next) -> all.via(flow.prepend(next))),
                one("concat", (all, next) -> all.concatLazy(next)),
                one("concatDelayError", (all, next) -> all.concatDelayError(next)),
                one("merge", (all, next) -> all.merge(next)),
                one("merge", (all, next) -> all.via(flow.merge(next))),
                one("interleave", (all, next) -> all.interleave(next, 1, false)),
                one("interleave", (all, next) -> next.interleave(all, 2, false)),
                one("interleave", (all, next) -> all.via(flow.interleave(next, 1, false))),
                one("mergeSorted", (all, next) -> all.mergeSorted(next, counted)),
                one("mergeSorted", (all, next) -> all.via(flow.mergeSorted(next, counted))));
    }

    private DynamicTest one(String operator, BinaryOperator<Source<Integer, NotUsed>> join) {
        return DynamicTest.dynamicTest(operator, () -> {
            compared.set(0);
            Source<Integer, NotUsed> all = many(join);
            List<String> names = new CopyOnWriteArrayList<>();
            List<Integer> found = await(all.map(element -> {
                        if (names.isEmpty()) {
                            names.addAll(junctionsNow(operator));
                        }
                        return element;
                    })
                    .runWith(Sink.seq(), runtime));
            assertThat(found).hasSize(MANY).doesNotHaveDuplicates();
            assertThat(names).hasSize(1);
            assertThat(compared.get()).isLessThan(MANY * 40L);
        });
    }

    private List<String> junctionsNow(String operator) {
        return runtime.snapshot().streams().stream()
                .flatMap(stream -> stream.islands().stream())
                .flatMap(island -> island.stages().stream())
                .map(StageSnapshot::name)
                .filter(operator::equals)
                .toList();
    }

    @Test
    void manyAlternativesRunAsOne() throws Exception {
        Source<Integer, NotUsed> all = Source.empty();
        Source<Integer, NotUsed> turned = Source.single(-1);
        for (int i = 0; i < MANY; i++) {
            all = all.orElse(i == MANY - 1 ? Source.range(0, MANY) : Source.empty());
            turned = Source.<Integer>empty().orElse(turned);
        }
        AtomicInteger junctions = new AtomicInteger();
        assertThat(await(all.map(element -> {
                            junctions.set(junctionsNow("orElse").size());
                            return element;
                        })
                        .take(1)
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(0);
        assertThat(junctions).hasValue(1);
        assertThat(await(all.runWith(Sink.count(), runtime))).isEqualTo(MANY);
        assertThat(await(turned.runWith(Sink.seq(), runtime))).containsExactly(-1);
    }

    @Test
    void failureOfAnAlternativeThatIsNotNeededCountsNever() throws Exception {
        Source<Integer, NotUsed> failed = Source.failed(new RandomSuccession.Planned());
        assertThat(await(Source.of(1, 2).async().orElse(failed).runWith(Sink.seq(), runtime)))
                .containsExactly(1, 2);
        assertThat(await(Source.<Integer>empty()
                        .orElse(Source.single(3).async())
                        .orElse(failed)
                        .runWith(Sink.seq(), runtime)))
                .containsExactly(3);
        assertThat(awaitFailure(Source.<Integer>empty().async().orElse(failed).runWith(Sink.seq(), runtime)))
                .isInstanceOf(RandomSuccession.Planned.class);
    }

    @Test
    void orderIsThatOfTheSources() throws Exception {
        List<Integer> upwards = IntStream.range(0, MANY).boxed().toList();
        List<Integer> downwards =
                upwards.stream().sorted(Collections.reverseOrder()).toList();
        assertThat(await(many((all, next) -> all.concat(next)).runWith(Sink.seq(), runtime)))
                .isEqualTo(upwards);
        assertThat(await(many((all, next) -> all.prepend(next)).runWith(Sink.seq(), runtime)))
                .isEqualTo(downwards);
        assertThat(await(many((all, next) -> next.mergeSorted(all, counted)).runWith(Sink.seq(), runtime)))
                .isEqualTo(upwards);
    }

    private Source<Integer, NotUsed> from(int number, int end, AtomicInteger most) {
        if (number % 1_000 == 0) {
            most.accumulateAndGet(runtime.snapshot().streams().size(), Math::max);
            most.accumulateAndGet(new Throwable().getStackTrace().length, Math::max);
        }
        Source<Integer, NotUsed> own = Source.single(number);
        return number == end ? own : own.concatLazy(Source.lazy(() -> from(number + 1, end, most)));
    }

    @Test
    void sourceThatGoesOnWithItselfStaysOneStream() throws Exception {
        AtomicInteger most = new AtomicInteger();
        assertThat(await(from(1, 2_000, most).runWith(Sink.count(), runtime))).isEqualTo(2_000);
        assertThat(most.get()).isLessThan(100);
        assertThat(await(from(1, MILLION, most).runWith(Sink.count(), runtime))).isEqualTo(MILLION);
        assertThat(most.get()).isLessThan(100);
    }

    @Test
    void lazySourcesInsideEachOtherAreMadeByTheOutermost() throws Exception {
        Source<Integer, ?> inside = Source.single(0);
        Source<Integer, NotUsed> successors = Source.single(0);
        for (int i = 1; i <= MANY; i++) {
            Source<Integer, ?> next = inside;
            inside = Source.lazy(() -> next);
            successors = Source.single(i).concatLazy(successors);
        }
        assertThat(await(inside.runWith(Sink.seq(), runtime))).containsExactly(0);
        assertThat(await(successors.runWith(Sink.seq(), runtime)))
                .hasSize(MANY + 1)
                .startsWith(MANY, MANY - 1)
                .endsWith(1, 0);
    }

    @Test
    void sourceThatGoesOnWithItselfMakesOnlyWhatIsAskedFor() throws Exception {
        AtomicInteger made = new AtomicInteger();
        assertThat(await(counting(made).take(3).runWith(Sink.seq(), runtime))).containsExactly(0, 1, 2);
        assertThat(made.get()).isLessThanOrEqualTo(3);
    }

    private static Source<Integer, NotUsed> counting(AtomicInteger made) {
        return Source.single(made.get()).concatLazy(Source.lazy(() -> {
            made.incrementAndGet();
            return counting(made);
        }));
    }

    @Test
    void emptySourceThatGoesOnWithItselfForEverLeavesOthersTheirTurn() throws Exception {
        CompletableFuture<Long> endless =
                counted(0).runWith(Sink.count(), runtime).toCompletableFuture();
        assertThat(await(Source.range(0, 100).async().runWith(Sink.count(), runtime)))
                .isEqualTo(100);
        assertThat(endless).isNotDone();
        runtime.close();
        Await.until(endless::isDone);
    }

    private static Source<Integer, NotUsed> counted(int number) {
        return Source.<Integer>empty().concatLazy(Source.lazy(() -> counted(number + 1)));
    }

    @Test
    void manyZipsPassAnElement() throws Exception {
        Source<Integer, NotUsed> all = many((before, next) -> before.zipWith(next, Integer::sum));
        assertThat(await(all.runWith(Sink.seq(), runtime))).containsExactly(MANY * (MANY - 1) / 2);
    }

    @Test
    void treesDrawnAtRandomEmitWhatListsDo() throws Exception {
        for (int i = 0; i < 3_000; i++) {
            emitsWhatListsDo(i, runtime);
        }
    }

    @Test
    void treesDrawnAtRandomEmitWhatListsDoInAnyOrderOfEvents() {
        for (int i = 0; i < 300; i++) {
            int seed = i;
            EventFuzz.runOnce(seed, shuffled -> emitsWhatListsDo(seed, shuffled));
        }
    }

    private static void emitsWhatListsDo(int seed, StreamRuntime runtime) throws Exception {
        RandomSuccession.Drawn drawn = new RandomSuccession(seed, false, true).draw(5);
        assertThat(await(drawn.source().runWith(Sink.seq(), runtime)))
                .as("seed %d: %s", seed, drawn.text())
                .isEqualTo(drawn.elements());
        int few = seed % 7;
        assertThat(await(drawn.source().take(few).runWith(Sink.seq(), runtime)))
                .as("seed %d, %d taken: %s", seed, few, drawn.text())
                .isEqualTo(drawn.elements().stream().limit(few).toList());
    }

    @Test
    void treesDrawnAtRandomFailWhereListsDo() {
        for (int i = 0; i < 4_000; i++) {
            RandomSuccession.Drawn drawn = new RandomSuccession(i, true, false).draw(5);
            Run run = run(drawn);
            assertThat(run.seen()).as("seed %d: %s", i, drawn.text()).isEqualTo(drawn.elements());
            assertThat(run.failure()).as("seed %d: %s", i, drawn.text()).isSameAs(drawn.failure());
        }
    }

    @Test
    void treesDrawnAtRandomThatEmitInTurnFailAtOnce() {
        for (int i = 0; i < 3_000; i++) {
            RandomSuccession.Drawn drawn = new RandomSuccession(i, true, true).draw(5);
            Run run = run(drawn);
            if (run.failure() == null) {
                assertThat(run.seen()).as("seed %d: %s", i, drawn.text()).isEqualTo(drawn.elements());
            } else {
                assertThat(run.failure()).isInstanceOf(RandomSuccession.Planned.class);
                assertThat(drawn.elements().stream().limit(run.seen().size()))
                        .as("seed %d: %s", i, drawn.text())
                        .isEqualTo(run.seen());
            }
        }
    }

    /** What a sink has seen, and what the stream has failed with. */
    private record Run(List<Integer> seen, @Nullable Throwable failure) {}

    private Run run(RandomSuccession.Drawn drawn) {
        List<Integer> seen = new CopyOnWriteArrayList<>();
        CompletableFuture<?> end =
                drawn.source().runWith(Sink.foreach(seen::add), runtime).toCompletableFuture();
        Await.until(end::isDone);
        return new Run(seen, failureOf(end));
    }

    private static @Nullable Throwable failureOf(CompletableFuture<?> run) {
        Throwable failure = run.handle((value, thrown) -> thrown).join();
        return failure instanceof CompletionException || failure instanceof StreamException
                ? failure.getCause()
                : failure;
    }
}
