package io.millrace.streams.operator;

import static io.millrace.streams.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.BroadcastHub;
import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StallDetector;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.GroupBySettings;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.ThrottleMode;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.graph.ThrowingToLongFunction;
import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.JoinPosition;
import io.millrace.streams.hub.LagPolicy;
import io.millrace.streams.inspect.StallReport;
import io.millrace.streams.schedule.BlockingDetector;
import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import io.millrace.streams.schedule.Worker;
import io.millrace.streams.stage.MailboxLimit;
import io.millrace.streams.stage.StageActorRef;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Whatever takes a duration takes one that means for ever. */
class LongDurationsTest extends VirtualTimeTest {
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    /** What is tried below, beside the operators, which are found by reflection; records of results are not. */
    private static final Set<String> TRIED = Set.of(
            "SubscriptionTimeout.new",
            "Attributes.subscriptionTimeout",
            "Backoff.new",
            "Backoff.exponential",
            "BroadcastConsumerSettings.new",
            "BroadcastConsumerSettings.withPatience",
            "GroupBySettings.withIdleTimeout",
            "RestartSettings.new",
            "RestartSettings.withMaxRestarts",
            "RuntimeSettings.new",
            "RuntimeSettings.withIdleSearch",
            "RuntimeSettings.withCloseTimeout",
            "StallDetector.start",
            "StreamRuntime.close",
            "BlockingDetector.start",
            "MailboxLimit.new",
            "MailboxLimit.blocking",
            "StageActorRef.ask",
            "SubSourceOutlet.expireAfter",
            "Durations.positive",
            "Durations.notNegative",
            "Durations.nanos",
            "Scheduler.schedule",
            "Scheduler.schedulePeriodically",
            "Worker.schedule",
            "Worker.schedulePeriodically");

    private static final Set<String> RECORDS_OF_RESULTS =
            Set.of("StallReport.new", "StallReport.of", "BlockingCall.new");

    @TestFactory
    Stream<DynamicTest> operatorsTakeDurationsThatMeanForEver() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Class<?> facade : List.of(Source.class, Flow.class)) {
            for (Method method : facade.getMethods()) {
                if (takesDuration(method)) {
                    tests.add(DynamicTest.dynamicTest(
                            facade.getSimpleName() + "." + method.getName()
                                    + Arrays.toString(method.getParameterTypes()),
                            () -> runsOnUnharmed(method)));
                }
            }
        }
        assertThat(tests).hasSizeGreaterThan(40);
        return tests.stream();
    }

    @SuppressWarnings("unchecked")
    private void runsOnUnharmed(Method method) throws Exception {
        TestSource<Integer> source = null;
        Source<?, ?> changed;
        StageActorRef<Desk.Question> desk = Desk.running(runtime, question -> {});
        Object[] arguments = Arrays.stream(method.getParameterTypes())
                .map(type -> argument(type, desk))
                .toArray();
        Pair<?, TestSink<Object>> ends;
        if (Modifier.isStatic(method.getModifiers())) {
            changed = (Source<?, ?>) method.invoke(null, arguments);
            ends = changed.toMat(TestSink.<Object>probe(), Keep.both()).run(runtime);
        } else if (method.getDeclaringClass() == Flow.class || method.getReturnType() == Flow.class) {
            Flow<Integer, ?, ?> flow = (Flow<Integer, ?, ?>) method.invoke(Flow.<Integer>create(), arguments);
            ends = TestSource.<Integer>probe()
                    .via(flow)
                    .toMat(TestSink.<Object>probe(), Keep.both())
                    .run(runtime);
            source = (TestSource<Integer>) ends.first();
        } else {
            changed = (Source<?, ?>) method.invoke(TestSource.<Integer>probe(), arguments);
            ends = changed.toMat(TestSink.<Object>probe(), Keep.both()).run(runtime);
            source = (TestSource<Integer>) ends.first();
        }
        ends.second().request(10);
        for (int i = 0; source != null && i < 3; i++) {
            source.send(i);
        }
        time.advance(Duration.ofDays(1));
        assertThat(reported).isEmpty();
        ends.second().cancel();
        desk.tell(new Desk.Question(-1, null));
    }

    private static Object argument(Class<?> type, StageActorRef<?> desk) {
        Map<Class<?>, Object> arguments = Map.of(
                Duration.class,
                FOREVER,
                long.class,
                2L,
                int.class,
                2,
                OverflowStrategy.class,
                OverflowStrategy.BACKPRESSURE,
                ThrottleMode.class,
                ThrottleMode.SHAPING,
                ThrowingToLongFunction.class,
                (ThrowingToLongFunction<Object>) element -> 1,
                Graph.class,
                Source.never(),
                ThrowingSupplier.class,
                (ThrowingSupplier<Object>) () -> 1,
                StageActorRef.class,
                desk,
                ThrowingBiFunction.class,
                (ThrowingBiFunction<Integer, StageActorRef.ReplyTo<Integer>, Object>) Desk.Question::new);
        return arguments.getOrDefault(type, 1);
    }

    private static boolean takesDuration(Executable executable) {
        return Modifier.isPublic(executable.getModifiers())
                && Arrays.asList(executable.getParameterTypes()).contains(Duration.class);
    }

    @Test
    void aGraceForEverEndsWithTheLastStream() throws Exception {
        StreamRuntime own = StreamRuntime.create();
        CompletableFuture<Optional<Integer>> last =
                Source.<Integer>maybe().to(Sink.ignore()).run(own);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> own.close(FOREVER));
        last.complete(Optional.empty());
        await(closing);
        assertThat(own.isClosed()).isTrue();
    }

    @Test
    void whateverElseTakesADurationIsTriedHere() throws Exception {
        Set<String> found = new TreeSet<>();
        for (Class<?> type : publicTypes()) {
            Stream.concat(Arrays.stream(type.getConstructors()), Arrays.stream(type.getDeclaredMethods()))
                    .filter(LongDurationsTest::takesDuration)
                    .filter(executable -> !(executable instanceof Method method) || !method.isBridge())
                    .map(executable ->
                            type.getSimpleName() + "." + (executable instanceof Method ? executable.getName() : "new"))
                    .forEach(found::add);
        }
        found.removeIf(name -> name.startsWith("Source.") || name.startsWith("Flow."));
        found.removeIf(name -> name.startsWith("StageBinding.")); // what a logic hands on as it got it
        found.removeAll(RECORDS_OF_RESULTS);
        assertThat(found).isEqualTo(new TreeSet<>(TRIED));
    }

    private static List<Class<?>> publicTypes() throws Exception {
        List<Class<?>> types = new ArrayList<>();
        for (Class<?> sample : List.of(
                Source.class,
                Graph.class,
                StallReport.class,
                JoinPosition.class,
                StageActorRef.class,
                Scheduler.class)) {
            URI place = sample.getResource(sample.getSimpleName() + ".class").toURI();
            if (place.getScheme().equals("jar")) {
                try (var jar = FileSystems.newFileSystem(place, Map.of())) {
                    addTypes(jar.getPath(sample.getName().replace('.', '/')).getParent(), sample, types);
                }
            } else {
                addTypes(Path.of(place).getParent(), sample, types);
            }
        }
        return types;
    }

    private static void addTypes(Path folder, Class<?> sample, List<Class<?>> types) throws Exception {
        List<String> names;
        try (Stream<Path> files = Files.list(folder)) {
            names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.startsWith("package-info"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .toList();
        }
        for (String name : names) {
            Class<?> type = Class.forName(sample.getPackageName() + "." + name);
            if (Modifier.isPublic(type.getModifiers())) {
                types.add(type);
            }
        }
    }

    @Test
    void durationsSaturate() {
        assertThat(Durations.nanos(FOREVER)).isPositive().isEqualTo(Durations.nanos(Durations.positive("x", FOREVER)));
        assertThat(Durations.notNegative("x", FOREVER)).isEqualTo(FOREVER);
        assertThat(Durations.nanos(Duration.ofSeconds(Long.MIN_VALUE))).isNegative();
        assertThat(Durations.nanos(FOREVER) * 3).isPositive();
    }

    @Test
    void backoffAndRestartsSaturate() {
        SplittableRandom random = new SplittableRandom(1);
        for (int waits : new int[] {0, 1, 40, 62, 1000}) {
            assertThat(Backoff.exponential(Duration.ofMillis(1), FOREVER).after(waits, random))
                    .isPositive();
            assertThat(new Backoff(FOREVER, FOREVER, 0, OptionalLong.empty()).after(waits, random))
                    .isGreaterThan(Duration.ofDays(365));
        }
        RuntimeException mine = new IllegalStateException("mine");
        RestartSettings settings = RestartSettings.of(Backoff.exponential(Duration.ofMillis(1), FOREVER));
        CompletionStage<Done> ended = Source.<Integer>restarting(
                        settings.withMaxRestarts(3, FOREVER), () -> Source.failed(mine))
                .runWith(Sink.ignore(), runtime);
        Source.<Integer>restarting(
                        new RestartSettings(Backoff.exponential(FOREVER, FOREVER), 3, FOREVER, true, failure -> true),
                        () -> Source.failed(mine))
                .runWith(Sink.ignore(), runtime);
        time.advance(Duration.ofDays(1));
        assertThat(ended.toCompletableFuture()).isCompletedExceptionally();
        ended.handle((done, failure) -> assertThat(failure).isSameAs(mine));
        assertThat(reported).isEmpty();
    }

    @Test
    void settingsOfHubsAndSubstreamsSaturate() {
        Pair<TestSource<Integer>, BroadcastHub<Integer>> hub = TestSource.<Integer>probe()
                .toMat(BroadcastHub.<Integer>sink(4), Keep.both())
                .run(runtime);
        BroadcastConsumerSettings patient = new BroadcastConsumerSettings(
                LagPolicy.DISCONNECT, BroadcastConsumerSettings.defaults().joinPosition(), FOREVER);
        for (BroadcastConsumerSettings settings : List.of(patient, patient.withPatience(FOREVER))) {
            hub.second().source(settings).runWith(TestSink.probe(), runtime);
        }
        for (int i = 0; i < 4; i++) {
            hub.first().send(i);
        }
        Source.of(1, 2, 3)
                .groupBy(GroupBySettings.of(4).withIdleTimeout(FOREVER), n -> n)
                .keyedSources()
                .concat(Source.never())
                .withAttributes(Attributes.subscriptionTimeout(FOREVER))
                .runWith(Sink.ignore(), runtime);
        Source.of(1, 2, 3)
                .concat(Source.never())
                .prefixAndTail(1)
                .concat(Source.never())
                .withAttributes(Attributes.of(new Attributes.SubscriptionTimeout(FOREVER)))
                .runWith(Sink.ignore(), runtime);
        time.advance(Duration.ofDays(1));
        assertThat(reported).isEmpty();
    }

    @Test
    void runtimesAndDetectorsSaturate() {
        RuntimeSettings settings = RuntimeSettings.defaults().withCloseTimeout(FOREVER);
        StreamRuntime closing = StreamRuntime.create(settings);
        Source.never().runWith(Sink.ignore(), closing);
        StallDetector.start(closing, FOREVER, report -> {}).close();
        closing.close();
        assertThatThrownBy(() -> settings.withIdleSearch(FOREVER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("idleSearch");
        BlockingDetector.start(FOREVER).dispose();
        BlockingDetector.start(FOREVER, call -> {}).dispose();
    }

    @Test
    void messagesToStagesSaturate() {
        assertThat(MailboxLimit.blocking(1, FOREVER))
                .isEqualTo(new MailboxLimit(1, MailboxLimit.Overflow.BLOCK, FOREVER));
        StageActorRef<Desk.Question> desk =
                Desk.running(runtime, question -> question.reply().tell(question.number()));
        CompletionStage<Integer> reply = desk.ask(replyTo -> new Desk.Question(7, replyTo), FOREVER);
        assertThat(reply.toCompletableFuture()).isCompletedWithValue(7);
        desk.tell(new Desk.Question(-1, null));
    }

    @Test
    void schedulersSaturate() {
        for (Scheduler scheduler : List.of(
                Schedulers.single(),
                Schedulers.newThread(),
                Schedulers.elastic(),
                Schedulers.from(Runnable::run),
                time)) {
            Worker worker = scheduler.createWorker();
            List<Disposable> waiting = List.of(
                    scheduler.schedule(() -> {}, FOREVER),
                    scheduler.schedulePeriodically(() -> {}, FOREVER, FOREVER),
                    worker.schedule(() -> {}, FOREVER),
                    worker.schedulePeriodically(() -> {}, FOREVER, FOREVER));
            waiting.forEach(Disposable::dispose);
            worker.dispose();
            if (scheduler != time) {
                scheduler.shutdown();
            }
        }
    }
}
