package io.millrace.streams.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.LogSettings;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.testkit.Behaviour;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What an iterator inside of an operator has given arrives, though the iterator then blocks. */
class InnerPromptnessTest {
    private static final int GIVEN = 3;
    private static final int BOUND_SECONDS = 10;
    /** More than an element passes before something else has its turn. */
    private static final int MANY_STAGES = 100;

    private static final List<String> NAMES = names();
    private static final Backoff SOON = Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1));

    /** Gives three elements and then blocks until it is released: in {@code hasNext}, or else in {@code next}. */
    private static final class Waiting implements Iterator<Integer> {
        private final CountDownLatch released;
        private final boolean inNext;
        private int given;

        Waiting(CountDownLatch released, boolean inNext) {
            this.released = released;
            this.inNext = inNext;
        }

        private void await() {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public boolean hasNext() {
            if (given == GIVEN && !inNext) {
                await();
            }
            return given < (inNext ? GIVEN + 1 : GIVEN);
        }

        @Override
        public Integer next() {
            if (given == GIVEN) {
                await();
            }
            return given++;
        }
    }

    private static List<String> names() {
        try (StreamRuntime runtime = StreamRuntime.create()) {
            return List.copyOf(operators(runtime).keySet());
        }
    }

    private static Source<Integer, ?> source(Iterator<Integer> iterator) {
        return Source.fromIterator(() -> iterator);
    }

    private static Map<String, Function<Iterator<Integer>, Source<Integer, ?>>> operators(StreamRuntime runtime) {
        Map<String, Function<Iterator<Integer>, Source<Integer, ?>>> all = new LinkedHashMap<>();
        all.put("mapConcat", given -> Source.single(1).mapConcat(n -> () -> given));
        all.put("flatMapConcat", given -> Source.single(1).flatMapConcat(n -> source(given)));
        all.put(
                "flatMapConcat of many",
                given -> Source.range(0, 5).flatMapConcat(n -> source(n == 0 ? given : none())));
        all.put("flatMapMerge", given -> Source.single(1).flatMapMerge(4, n -> source(given)));
        all.put(
                "flatMapMerge of many",
                given -> Source.range(0, 5).flatMapMerge(2, n -> source(n == 0 ? given : none())));
        all.put("switchMap", given -> Source.single(1).switchMap(n -> source(given)));
        all.put("expand", given -> Source.single(1).concat(Source.never()).expand(n -> given));
        all.put(
                "expandRecursively",
                given -> Source.single(-1)
                        .expandRecursively(n -> n == -1 ? source(given) : Source.<Integer>empty())
                        .drop(1));
        all.put("lazy", given -> Source.lazy(() -> source(given)));
        all.put("concat", given -> Source.<Integer>empty().concat(source(given)));
        all.put("concatLazy", given -> Source.<Integer>empty().concatLazy(source(given)));
        all.put("orElse", given -> Source.<Integer>empty().orElse(source(given)));
        all.put("recoverWith", given -> failed().recoverWith(failure -> source(given)));
        all.put("fromStream", given -> Source.fromStream(() -> stream(given)));
        all.put(
                "unfoldResource",
                given -> Source.unfoldResource(
                        () -> given,
                        it -> it.hasNext() ? java.util.Optional.of(it.next()) : java.util.Optional.empty(),
                        it -> {}));
        all.put(
                "usingWhen",
                given -> Source.usingWhen(
                        () -> CompletableFuture.completedFuture(1),
                        n -> Source.fromIterator(() -> given),
                        (n, outcome) -> CompletableFuture.completedFuture(1)));
        all.put(
                "restarting",
                given -> Source.restarting(RestartSettings.of(SOON), () -> Source.fromIterator(() -> given)));
        all.put("shared", given -> source(given).publish(runtime).refCount());
        all.put(
                "mergeAll",
                given ->
                        Source.mergeAll(List.of(Source.fromIterator(() -> given).async(), Source.empty())));
        return all;
    }

    private static Map<String, BiFunction<Source<Integer, ?>, ThrowingRunnable, Source<Integer, ?>>> lastWords() {
        Map<String, BiFunction<Source<Integer, ?>, ThrowingRunnable, Source<Integer, ?>>> all = new LinkedHashMap<>();
        all.put(
                "statefulMap",
                (source, wait) -> source.statefulMap(() -> 0, (n, x) -> new Pair<>(n, x), n -> {
                    wait.run();
                    return Optional.of(n);
                }));
        all.put(
                "aggregateWithBoundary",
                (source, wait) -> source.concat(Source.single(-1))
                        .aggregateWithBoundary(() -> 0, (n, x) -> new Pair<>(x, x >= 0), n -> {
                            if (n < 0) {
                                wait.run();
                            }
                            return n;
                        }));
        all.put(
                "mapWithResource",
                (source, wait) -> source.take(GIVEN).mapWithResource(() -> 0, (n, x) -> x, n -> {
                    wait.run();
                    return Optional.of(n);
                }));
        all.put("doFinally", (source, wait) -> source.take(GIVEN).doFinally(n -> wait.run()));
        all.put("log", (source, wait) -> source.take(GIVEN).log("lines", logging(wait)));
        all.put(
                "a second end",
                (source, wait) -> source.take(GIVEN - 1)
                        .statefulMap(() -> 0, (n, x) -> new Pair<>(n, x), Optional::of)
                        .statefulMap(() -> 0, (n, x) -> new Pair<>(n, x), n -> {
                            wait.run();
                            return Optional.of(n);
                        }));
        all.put(
                "a second prelude",
                (source, wait) -> Source.<Integer>empty()
                        .scan(-1, Integer::sum)
                        .map(n -> {
                            wait.run();
                            return n;
                        })
                        .scan(0, Integer::sum)
                        .scan(0, Integer::sum)
                        .scan(0, Integer::sum));
        all.put(
                "an expansion behind a prelude",
                (source, wait) -> source.async()
                        .mapConcat(n -> {
                            wait.run();
                            return List.of(n);
                        })
                        .scan(0, Integer::sum)
                        .scan(0, Integer::sum)
                        .scan(0, Integer::sum));
        return all;
    }

    /** What hears of a failure, and waits then. */
    private static Map<String, BiFunction<Source<Integer, ?>, ThrowingRunnable, Source<Integer, ?>>> hearing() {
        Map<String, BiFunction<Source<Integer, ?>, ThrowingRunnable, Source<Integer, ?>>> all = new LinkedHashMap<>();
        all.put(
                "recover",
                (source, wait) -> source.recover(failure -> {
                    wait.run();
                    return -1;
                }));
        all.put(
                "recoverWith",
                (source, wait) -> source.recoverWith(failure -> {
                    wait.run();
                    return Source.empty();
                }));
        all.put(
                "mapError",
                (source, wait) -> source.mapError(failure -> {
                    wait.run();
                    return failure;
                }));
        all.put("log", (source, wait) -> source.log("lines", logging(wait)));
        all.put(
                "mapWithResource",
                (source, wait) -> source.mapWithResource(() -> 0, (n, x) -> x, n -> {
                    wait.run();
                    return Optional.of(n);
                }));
        all.put("doFinally", (source, wait) -> source.doFinally(n -> wait.run()));
        all.put("doOnError", (source, wait) -> source.doOnError(failure -> wait.run()));
        all.put(
                "onErrorComplete",
                (source, wait) -> source.onErrorComplete(failure -> {
                    wait.run();
                    return true;
                }));
        return all;
    }

    private static Map<String, UnaryOperator<Source<Integer, ?>>> failing() {
        Map<String, UnaryOperator<Source<Integer, ?>>> all = new LinkedHashMap<>();
        all.put("of a stage above", source -> source.concat(failed()));
        all.put("over a boundary", source -> source.concat(failed()).async());
        all.put("of a step", source -> source.concat(Source.single(GIVEN)).map(InnerPromptnessTest::given));
        return all;
    }

    private static int given(int n) {
        if (n == GIVEN) {
            throw new IllegalStateException("on purpose");
        }
        return n;
    }

    @FunctionalInterface
    private interface ThrowingRunnable {
        void run() throws Exception;
    }

    /** Its logger waits when it is told of an end. */
    private static LogSettings logging(ThrowingRunnable wait) {
        return LogSettings.defaults()
                .withElement(Level.OFF)
                .withFinish(Level.INFO)
                .withLogger(new WaitingLogger(wait));
    }

    private record WaitingLogger(ThrowingRunnable told) implements System.Logger {
        @Override
        public String getName() {
            return "waiting";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            waits();
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {
            waits();
        }

        private void waits() {
            try {
                told.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static Source<Integer, ?> failed() {
        return Source.failed(new IllegalStateException("on purpose"));
    }

    private static Iterator<Integer> none() {
        return List.<Integer>of().iterator();
    }

    private static Stream<Integer> stream(Iterator<Integer> iterator) {
        Iterable<Integer> once = () -> iterator;
        return StreamSupport.stream(once.spliterator(), false);
    }

    private static Map<String, UnaryOperator<Source<Integer, ?>>> surroundings() {
        Map<String, UnaryOperator<Source<Integer, ?>>> all = new LinkedHashMap<>();
        all.put("alone", source -> source);
        all.put("before a step", source -> source.map(n -> n));
        all.put("before a stage", source -> source.viaMat(KillSwitches.<Integer>single(), Keep.left()));
        all.put(
                "before a step and a stage",
                source -> source.map(n -> n)
                        .viaMat(KillSwitches.<Integer>single(), Keep.left())
                        .filter(n -> true));
        all.put("before many stages", source -> {
            Source<Integer, ?> behind = source;
            for (int i = 0; i < MANY_STAGES; i++) {
                behind = behind.viaMat(KillSwitches.<Integer>single(), Keep.left());
            }
            return behind;
        });
        all.put("before a boundary", source -> source.async().map(n -> n));
        all.put("before another mapConcat", source -> source.mapConcat(n -> List.of(n)));
        all.put(
                "before futures",
                source -> source.mapAsync(4, CompletableFuture::completedFuture)
                        .viaMat(KillSwitches.<Integer>single(), Keep.left()));
        all.put("in a substream", source -> Source.single(1).flatMapConcat(n -> source));
        return all;
    }

    @TestFactory
    @Behaviour("INT-10")
    Stream<DynamicTest> whatItGaveArrives() {
        return NAMES.stream()
                .flatMap(operator -> surroundings().keySet().stream()
                        .flatMap(around -> Stream.of(false, true)
                                .map(inNext -> DynamicTest.dynamicTest(
                                        operator + " " + around + (inNext ? ", next blocks" : ", hasNext blocks"),
                                        () -> arrives(operator, around, inNext)))));
    }

    private static void arrives(String operator, String around, boolean inNext) throws Exception {
        arrive((runtime, released) -> surroundings()
                .get(around)
                .apply(operators(runtime).get(operator).apply(new Waiting(released, inNext))));
    }

    @TestFactory
    @Behaviour("INT-10")
    Stream<DynamicTest> whatCameBeforeAFunctionOnceInAStreamArrives() {
        return lastWords().keySet().stream()
                .flatMap(function -> surroundings().keySet().stream()
                        .map(around -> DynamicTest.dynamicTest(
                                function + " " + around, () -> arriveBefore(function, around))));
    }

    @TestFactory
    @Behaviour("INT-10")
    Stream<DynamicTest> whatCameBeforeAFunctionThatHearsOfAFailureArrives() {
        return hearing().keySet().stream()
                .flatMap(function -> failing().keySet().stream()
                        .flatMap(failure -> surroundings().keySet().stream()
                                .map(around -> DynamicTest.dynamicTest(
                                        function + " of a failure " + failure + " " + around,
                                        () -> arriveBefore(function, failure, around)))));
    }

    private static void arriveBefore(String function, String failure, String around) throws Exception {
        arrive((runtime, released) -> surroundings()
                .get(around)
                .apply(hearing()
                        .get(function)
                        .apply(failing().get(failure).apply(Source.range(0, GIVEN)), released::await)));
    }

    private static void arriveBefore(String function, String around) throws Exception {
        arrive((runtime, released) -> surroundings()
                .get(around)
                .apply(lastWords().get(function).apply(Source.range(0, GIVEN), released::await)));
    }

    private static void arrive(BiFunction<StreamRuntime, CountDownLatch, Source<Integer, ?>> waiting) throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(GIVEN);
        RuntimeSettings settings = RuntimeSettings.defaults().withThreads(2).withFailureReporter(failure -> {});
        try (StreamRuntime runtime = StreamRuntime.create(settings)) {
            CompletionStage<?> end =
                    waiting.apply(runtime, released).runWith(Sink.foreach(n -> arrived.countDown()), runtime);
            boolean haveArrived = arrived.await(BOUND_SECONDS, TimeUnit.SECONDS);
            released.countDown();
            assertThat(haveArrived)
                    .as("%s of %s did not arrive while the function waited", arrived.getCount(), GIVEN)
                    .isTrue();
            assertThat(end).isNotNull();
        }
    }
}
