package io.millrace.streams.operator.sinks;

import static io.millrace.streams.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.streams.Await;
import io.millrace.streams.Flow;
import io.millrace.streams.Junctions;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.NeverMaterializedException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamRuntimeExtension;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** What sinks give back, when they cancel, and that their futures always complete. */
@ExtendWith(StreamRuntimeExtension.class)
final class SinksTest {
    private StreamRuntime runtime;

    @BeforeEach
    void takeRuntime(StreamRuntime given) {
        runtime = given;
    }

    /**
     * A sink whose value is a future: what it gives for 1, 2, 3, and for nothing; an empty one stands for a failure with
     * NoSuchElementException.
     */
    private record SinkCase(
            String operator,
            Supplier<Sink<Integer, CompletionStage<?>>> sink,
            Object expected,
            Optional<Object> ofNothing) {}

    private static <R> SinkCase sink(
            String operator, Supplier<Sink<Integer, CompletionStage<R>>> sink, R expected, R ofNothing) {
        return new SinkCase(
                operator, () -> sink.get().mapMaterializedValue(value -> value), expected, Optional.of(ofNothing));
    }

    private static <R> SinkCase sinkOfSome(
            String operator, Supplier<Sink<Integer, CompletionStage<R>>> sink, R expected) {
        return new SinkCase(
                operator, () -> sink.get().mapMaterializedValue(value -> value), expected, Optional.empty());
    }

    private Object value(Source<Integer, ?> source, SinkCase one) throws Exception {
        CompletionStage<?> value = source.runWith(one.sink().get(), runtime);
        return await(value);
    }

    private static Stream<SinkCase> cases() {
        return Stream.of(
                sink("ignore", Sink::ignore, Done.DONE, Done.DONE),
                sink("foreach", () -> Sink.foreach(n -> {}), Done.DONE, Done.DONE),
                sink("fold", () -> Sink.fold(10, Integer::sum), 16, 10),
                sinkOfSome("reduce", () -> Sink.reduce(Integer::sum), 6),
                sinkOfSome("last", Sink::last, 3),
                sink("seq", Sink::seq, List.of(1, 2, 3), List.of()),
                sink("collect", () -> Sink.collect(Collectors.counting()), 3L, 0L),
                sink("lastOption", Sink::lastOption, Optional.of(3), Optional.empty()),
                sink("takeLast", () -> Sink.takeLast(2), List.of(2, 3), List.of()),
                sink("count", Sink::count, 3L, 0L),
                sink("exists", () -> Sink.exists(n -> n > 3), false, false),
                sink("forall", () -> Sink.forall(n -> n < 4), true, true),
                sink("none", () -> Sink.none(n -> n > 3), true, true),
                sink(
                        "foreachAsync",
                        () -> Sink.foreachAsync(2, n -> CompletableFuture.supplyAsync(() -> n)),
                        Done.DONE,
                        Done.DONE));
    }

    private Stream<DynamicTest> each(CaseCheck check) {
        return cases().map(one -> DynamicTest.dynamicTest(one.operator(), () -> check.run(one)));
    }

    /** One check of one case. */
    private interface CaseCheck {
        void run(SinkCase one) throws Exception;
    }

    @TestFactory
    @Operator({
        "ignore",
        "foreach",
        "fold",
        "reduce",
        "last",
        "seq",
        "collect",
        "lastOption",
        "takeLast",
        "count",
        "exists",
        "forall",
        "none",
        "foreachAsync"
    })
    Stream<DynamicTest> theElementsGiveTheValue() {
        return each(one -> assertThat(value(Source.of(1, 2, 3), one)).isEqualTo(one.expected()));
    }

    @TestFactory
    Stream<DynamicTest> noElementsGiveAValueOrSayThatThereIsNone() {
        return each(one -> {
            if (one.ofNothing().isPresent()) {
                assertThat(value(Source.empty(), one)).isEqualTo(one.ofNothing().orElseThrow());
            } else {
                assertThatThrownBy(() -> value(Source.empty(), one)).hasCauseInstanceOf(NoSuchElementException.class);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> aFailureOfUpstreamIsTheFailureOfTheValue() {
        IllegalStateException mine = new IllegalStateException("mine");
        return each(one -> assertThatThrownBy(() -> value(Source.of(1).concat(Source.<Integer>failed(mine)), one))
                .hasCause(mine));
    }

    @TestFactory
    Stream<DynamicTest> theValueFailsWhenTheRuntimeIsClosed() {
        return each(one -> {
            CompletionStage<?> value;
            try (StreamRuntime own = StreamRuntime.create()) {
                value = Source.<Integer>never().runWith(one.sink().get(), own);
            }
            assertThatThrownBy(() -> await(value)).hasCauseInstanceOf(AbruptTerminationException.class);
        });
    }

    @TestFactory
    Stream<DynamicTest> elementsAreAskedForAsTheyAreTaken() {
        return each(one -> {
            Pair<TestSource<Integer>, CompletionStage<?>> ends = TestSource.<Integer>probe()
                    .toMat(one.sink().get(), Keep.both())
                    .run(runtime);
            ends.first().expectPull().send(1).expectPull().complete();
            await(ends.second());
        });
    }

    @Test
    @Operator({"head", "headOption", "exists", "forall", "none"})
    void sinksThatKnowTheirValueCancel() throws Exception {
        assertThat(await(Source.repeat(7).runWith(Sink.head(), runtime))).isEqualTo(7);
        assertThat(await(Source.repeat(7).runWith(Sink.headOption(), runtime))).contains(7);
        assertThat(await(Source.<Integer>empty().runWith(Sink.headOption(), runtime)))
                .isEmpty();
        assertThat(await(Source.repeat(7).runWith(Sink.exists(n -> n == 7), runtime)))
                .isTrue();
        assertThat(await(Source.repeat(7).runWith(Sink.forall(n -> n != 7), runtime)))
                .isFalse();
        assertThat(await(Source.repeat(7).runWith(Sink.none(n -> n == 7), runtime)))
                .isFalse();
        assertThatThrownBy(() -> await(Source.<Integer>empty().runWith(Sink.head(), runtime)))
                .hasCauseInstanceOf(NoSuchElementException.class);
    }

    @Test
    @Operator({"exists", "foreachAsync", "takeLast"})
    void whatUserFunctionsThrowFailsTheValue() {
        IllegalStateException mine = new IllegalStateException("mine");
        assertThatThrownBy(() -> await(Source.of(1)
                        .runWith(
                                Sink.exists(n -> {
                                    throw mine;
                                }),
                                runtime)))
                .hasCause(mine);
        assertThatThrownBy(() -> await(
                        Source.of(1).runWith(Sink.foreachAsync(1, n -> CompletableFuture.failedFuture(mine)), runtime)))
                .hasCause(mine);
        assertThatThrownBy(() -> Sink.takeLast(0)).hasMessageContaining("at least 1, not 0");
        assertThatThrownBy(() -> Sink.foreachAsync(0, n -> CompletableFuture.completedFuture(n)))
                .hasMessageContaining("at least 1, not 0");
    }

    @Test
    @Operator("foreachAsync")
    void soManyFuturesAndNoMoreAreUnderWayAndNullIsAResult() throws Exception {
        List<CompletableFuture<Void>> futures = Collections.synchronizedList(new ArrayList<>());
        Pair<TestSource<Integer>, CompletionStage<Done>> ends = TestSource.<Integer>probe()
                .toMat(
                        Sink.<Integer>foreachAsync(2, n -> {
                            CompletableFuture<Void> future = new CompletableFuture<>();
                            futures.add(future);
                            return future;
                        }),
                        Keep.both())
                .run(runtime);
        ends.first().expectPull().send(1).expectPull().send(2).send(3).complete();
        Await.until(() -> futures.size() == 2);
        ends.first().expectNothing(Duration.ofMillis(20));
        assertThat(futures).hasSize(2);
        futures.get(1).complete(null);
        ends.first().expectPull();
        futures.get(0).complete(null);
        assertThat(ends.second().toCompletableFuture()).isNotDone();
        Await.until(() -> futures.size() == 3);
        futures.get(2).complete(null);
        await(ends.second());
    }

    @Test
    @Operator("cancelled")
    void aCancelledSinkAsksForNothing() {
        Pair<TestSource<Integer>, NotUsed> ends = TestSource.<Integer>probe()
                .toMat(Sink.<Integer>cancelled(), Keep.both())
                .run(runtime);
        ends.first().expectCancellation();
    }

    @Test
    @Operator("onComplete")
    void theCallbackIsToldHowTheStreamEnded() throws Exception {
        CompletableFuture<Optional<Throwable>> well = new CompletableFuture<>();
        Source.of(1).runWith(Sink.onComplete(well::complete), runtime);
        assertThat(await(well)).isEmpty();
        CompletableFuture<Optional<Throwable>> badly = new CompletableFuture<>();
        IllegalStateException mine = new IllegalStateException("mine");
        Source.failed(mine).runWith(Sink.onComplete(badly::complete), runtime);
        assertThat(await(badly)).contains(mine);
    }

    @Test
    @Operator("queue")
    void aQueueGivesElementsAsTheyAreTaken() throws Exception {
        var queue = Source.of(1, 2).runWith(Sink.<Integer>queue(), runtime);
        assertThat(await(queue.pull())).contains(1);
        assertThat(await(queue.pull())).contains(2);
        assertThat(await(queue.pull())).isEmpty();
    }

    @Test
    @Operator("combine")
    void sinksAreCombinedByAJunction() throws Exception {
        List<Integer> first = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Optional<Throwable>> second = new CompletableFuture<>();
        Source.of(1, 2)
                .runWith(
                        Sink.<Integer>combine(
                                List.of(Sink.foreach(first::add), Sink.onComplete(second::complete)),
                                Junctions::broadcast),
                        runtime);
        assertThat(await(second)).isEmpty();
        AtomicInteger shared = new AtomicInteger();
        CompletionStage<Done> end = Source.range(0, 1_000)
                .watchTermination(Keep.<NotUsed, CompletionStage<Done>>right())
                .to(Sink.<Integer>combine(
                        List.of(
                                Sink.foreach(n -> shared.incrementAndGet()),
                                Sink.foreach(n -> shared.incrementAndGet())),
                        Junctions::balance))
                .run(runtime);
        await(end);
        assertThat(shared.get()).isBetween(998, 1_000);
        assertThatThrownBy(() -> Sink.<Integer>combine(List.of(), Junctions::broadcast))
                .hasMessageContaining("at least 1, not 0");
    }

    // ------------------------------------------------------------------------------------------------------- lazy

    @Test
    @Operator("lazy")
    @Behaviour("INT-6")
    void aLazySinkGetsWhatCameBeforeAFailure() throws Exception {
        RuntimeSettings sameThread = RuntimeSettings.defaults().withExecutor(Runnable::run);
        try (StreamRuntime here = StreamRuntime.create(sameThread)) {
            Pair<TestSource<Integer>, CompletionStage<TestSink<Integer>>> ends = TestSource.<Integer>probe()
                    .toMat(Sink.lazy(TestSink::<Integer>probe), Keep.both())
                    .run(here);
            ends.first().send(1);
            TestSink<Integer> inner = await(ends.second());
            inner.request(1).expectNext(1);
            ends.first().send(2).send(3).fail(new IllegalStateException("mine"));
            inner.request(2).expectNext(2, 3);
            assertThat(inner.expectError()).hasMessage("mine");
        }
    }

    @Test
    @Operator("lazy")
    void aLazySinkIsMadeWithTheFirstElementAndGetsAll() throws Exception {
        AtomicInteger made = new AtomicInteger();
        Sink<Integer, CompletionStage<CompletionStage<List<Integer>>>> lazy = Sink.lazy(() -> {
            made.incrementAndGet();
            return Sink.<Integer>seq();
        });
        Pair<TestSource<Integer>, CompletionStage<CompletionStage<List<Integer>>>> ends =
                TestSource.<Integer>probe().toMat(lazy, Keep.both()).run(runtime);
        ends.first().expectPull();
        assertThat(made).hasValue(0);
        ends.first().send(1);
        await(ends.second());
        assertThat(made).hasValue(1);
        ends.first().complete();
        assertThat(await(await(ends.second()))).containsExactly(1);
        assertThat(await(await(Source.range(0, 100).runWith(lazy, runtime))))
                .hasSize(100)
                .startsWith(0, 1, 2);
        assertThat(await(await(Source.of(5).runWith(lazy, runtime)))).containsExactly(5);
    }

    @Test
    @Operator("lazy")
    void aLazySinkThatIsNeverMadeSaysSo() {
        assertThatThrownBy(() -> await(Source.<Integer>empty().runWith(Sink.lazy(Sink::<Integer>seq), runtime)))
                .cause()
                .isInstanceOf(NeverMaterializedException.class)
                .hasMessageContaining("ended without an element")
                .hasNoCause();
        IllegalStateException mine = new IllegalStateException("mine");
        assertThatThrownBy(() -> await(Source.<Integer>failed(mine).runWith(Sink.lazy(Sink::<Integer>seq), runtime)))
                .cause()
                .isInstanceOf(NeverMaterializedException.class)
                .hasMessageContaining("the stream failed")
                .hasCause(mine);
        Sink<Integer, CompletionStage<NotUsed>> broken = Sink.lazy(() -> {
            throw new IllegalStateException("mine");
        });
        assertThatThrownBy(() -> await(Source.of(1).runWith(broken, runtime))).hasStackTraceContaining("mine");
    }

    @Test
    @Operator("lazy")
    void aLazySinkFailsAndCancelsAsTheInnerOneDoes() throws Exception {
        IllegalStateException mine = new IllegalStateException("mine");
        assertThatThrownBy(() -> await(await(Source.of(1)
                        .concat(Source.<Integer>failed(mine))
                        .runWith(Sink.lazy(Sink::<Integer>seq), runtime))))
                .hasCause(mine);
        Pair<TestSource<Integer>, CompletionStage<CompletionStage<Integer>>> ends = TestSource.<Integer>probe()
                .toMat(Sink.lazy(Sink::<Integer>head), Keep.both())
                .run(runtime);
        ends.first().send(1);
        assertThat(await(await(ends.second()))).isEqualTo(1);
        ends.first().awaitCancellation();
    }

    // --------------------------------------------------------------------------------------------- output streams

    /** Notes how often it was closed, and refuses what it is told to. */
    private static final class Noted extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final AtomicInteger closed = new AtomicInteger();
        private final boolean failsOnWrite;

        Noted(boolean failsOnWrite) {
            this.failsOnWrite = failsOnWrite;
        }

        @Override
        public void write(int value) throws IOException {
            if (failsOnWrite) {
                throw new IOException("the disk is full");
            }
            bytes.write(value);
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    @Test
    @Operator("toOutputStream")
    void buffersOfAnyKindAreWrittenAndTheStreamIsClosedOnce() throws Exception {
        Noted noted = new Noted(false);
        ByteBuffer direct = ByteBuffer.allocateDirect(3).put(bytes("bcd")).flip();
        CompletionStage<Long> written = Source.of(
                        bytes("a"), direct, bytes("ef").asReadOnlyBuffer(), bytes(""))
                .runWith(Sink.toOutputStream(() -> noted), runtime);
        assertThat(await(written)).isEqualTo(6);
        assertThat(noted.bytes.toString(UTF_8)).isEqualTo("abcdef");
        assertThat(noted.closed).hasValue(1);
    }

    @Test
    @Operator("toOutputStream")
    void theStreamIsClosedOnceWhateverHappens() {
        Noted failing = new Noted(true);
        assertThatThrownBy(() -> await(Source.of(bytes("a")).runWith(Sink.toOutputStream(() -> failing), runtime)))
                .hasRootCauseMessage("the disk is full");
        Noted failed = new Noted(false);
        IllegalStateException mine = new IllegalStateException("mine");
        assertThatThrownBy(() ->
                        await(Source.<ByteBuffer>failed(mine).runWith(Sink.toOutputStream(() -> failed), runtime)))
                .hasCause(mine);
        Noted abandoned = new Noted(false);
        CompletionStage<Long> value;
        try (StreamRuntime own = StreamRuntime.create()) {
            value = Source.<ByteBuffer>never()
                    .prepend(Source.of(bytes("a")))
                    .runWith(Sink.toOutputStream(() -> abandoned), own);
            Await.until(() -> abandoned.bytes.size() > 0);
        }
        assertThat(catchThrowable(() -> await(value))).hasCauseInstanceOf(AbruptTerminationException.class);
        eventuallyClosedOnce(failing);
        eventuallyClosedOnce(failed);
        eventuallyClosedOnce(abandoned);
        assertThatThrownBy(() -> await(Source.<ByteBuffer>empty()
                        .runWith(
                                Sink.toOutputStream(() -> {
                                    throw new IOException("no such place");
                                }),
                                runtime)))
                .hasStackTraceContaining("no such place");
    }

    @Test
    @Operator("toOutputStream")
    void whatIsWrittenIsFlushedOnceNothingMoreIsAtHand() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        TestSource<ByteBuffer> source = TestSource.<ByteBuffer>probe()
                .toMat(Sink.toOutputStream(() -> new BufferedOutputStream(written)), Keep.left())
                .run(runtime);
        for (String all : List.of("a", "ab")) {
            source.send(bytes(all.substring(all.length() - 1)));
            Await.until("it is flushed", () -> written.toString(UTF_8).equals(all));
        }
        source.complete();
    }

    /** Holds the first write until it is let go on, and counts what is flushed. */
    private static final class Counting extends FilterOutputStream {
        private final CountDownLatch release;
        private final AtomicInteger flushes = new AtomicInteger();

        Counting(CountDownLatch release) {
            super(new ByteArrayOutputStream());
            this.release = release;
        }

        @Override
        public void write(int value) throws IOException {
            Await.until("the others are at hand", () -> release.getCount() == 0);
            super.write(value);
        }

        @Override
        public void flush() {
            flushes.incrementAndGet();
        }

        @Override
        public void close() {}
    }

    @Test
    @Operator("toOutputStream")
    void whatIsAtHandIsWrittenWithoutAFlushBetween() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Counting counting = new Counting(release);
        Source<ByteBuffer, NotUsed> rows = Source.range(0, 10).map(n -> bytes("x"));
        CompletionStage<Long> written =
                rows.doOnComplete(release::countDown).runWith(Sink.toOutputStream(() -> counting), runtime);
        assertThat(await(written)).isEqualTo(10);
        assertThat(counting.flushes).hasValueLessThanOrEqualTo(1);
    }

    private static void eventuallyClosedOnce(Noted stream) {
        Await.until(() -> stream.closed.get() > 0);
        assertThat(stream.closed).hasValue(1);
    }

    @Test
    @Operator("combine")
    void aCombinedSinkIsASinkForAnyFlow() throws Exception {
        Sink<Integer, NotUsed> both = Sink.combine(List.of(Sink.ignore(), Sink.ignore()), Junctions::balance);
        Sink<Integer, NotUsed> behindAFlow =
                Flow.<Integer>create().map(n -> n + 1).to(both);
        CompletionStage<Done> end = Source.of(1, 2, 3)
                .watchTermination(Keep.<NotUsed, CompletionStage<Done>>right())
                .to(behindAFlow)
                .run(runtime);
        await(end);
    }
}
