package io.millrace.streams.engine.segment;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Await;
import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.Plans;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.engine.RandomPipeline;
import io.millrace.streams.engine.SynchronousOperators;
import io.millrace.streams.engine.plan.Plan;
import io.millrace.streams.engine.plan.PlannedStages;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Supervision;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.operator.elements.MapStage;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The forms of a synchronous operator do the same: alone between stages, in a segment, in a specialised segment. */
final class SpecialisationTest {
    private final StreamRuntime runtime = StreamRuntime.create();

    /** Classes of other tests count as live until they are collected. */
    @BeforeEach
    void makeRoom() {
        System.gc();
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    @Test
    void allFormsOfARandomPipelineGiveWhatLoopsGive() throws Exception {
        long seed = Long.getLong("millrace.seed", System.nanoTime());
        Random random = new Random(seed);
        int rounds = Boolean.getBoolean("millrace.deep") ? 20_000 : 150;
        for (int round = 0; round < rounds; round++) {
            RandomPipeline pipeline = new RandomPipeline(random);
            String described = "seed " + seed + ", round " + round + ": " + pipeline;
            List<Integer> expected = pipeline.looped();
            assertThat(collect(pipeline.streamed(), false)).as(described).isEqualTo(expected);
            assertThat(collect(pipeline.streamedInterpreted(), false))
                    .as(described)
                    .isEqualTo(expected);
            assertThat(collect(pipeline.streamedOverBoundaries(random), random.nextInt(20) == 0))
                    .as(described)
                    .isEqualTo(expected);
            if (round % 5 == 0) {
                assertThat(collect(pipeline.streamed(), true)).as(described).isEqualTo(expected);
            }
        }
    }

    @Test
    void everySynchronousOperatorTakesPart() throws Exception {
        Set<String> taking = new TreeSet<>();
        for (IntFunction<RandomPipeline.Operator> kind : SynchronousOperators.KINDS) {
            Source<Integer, NotUsed> source = kind.apply(1).streamed().apply(Source.of(1, 2));
            for (Object stage : PlannedStages.of(Plans.compile(source.toMat(Sink.<Integer>seq(), Keep.right())))) {
                if (stage instanceof SegmentStage segmentStage) {
                    taking.addAll(operatorsOf(segmentStage.segment()));
                }
            }
        }
        Set<String> all = synchronousOperators();
        all.removeAll(
                Set.of("IdentityStage", "DropWithinStage")); // one passes everything on, the other nothing for a while
        assertThat(taking).containsAll(all);
    }

    private static Set<String> operatorsOf(Segment segment) {
        Set<String> names = new TreeSet<>();
        for (Step<?> step : segment.steps()) {
            names.add(step.getClass().getEnclosingClass().getSimpleName());
        }
        if (segment.expansion() != null) {
            names.add("MapConcatStage");
        }
        return names;
    }

    /** The classes of the package, which stand in a folder or in a jar. */
    private static Set<String> synchronousOperators() throws Exception {
        Path classes = Path.of(MapStage.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        if (Files.isDirectory(classes)) {
            return synchronousOperators(classes);
        }
        try (FileSystem jar = FileSystems.newFileSystem(classes)) {
            return synchronousOperators(jar.getPath("/"));
        }
    }

    private static Set<String> synchronousOperators(Path classes) throws IOException {
        String packageName = MapStage.class.getPackageName();
        try (Stream<Path> files = Files.list(classes.resolve(packageName.replace('.', '/')))) {
            return files.map(file -> file.getFileName().toString().replace(".class", ""))
                    .filter(name -> !name.contains("$") && !name.equals("package-info"))
                    .filter(name -> isSynchronous(packageName + "." + name))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static boolean isSynchronous(String name) {
        try {
            Class<?> parent = Class.forName(name).getSuperclass();
            return parent == StepStage.class || parent == ExpansionStage.class;
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Integer> collect(Source<Integer, NotUsed> source, boolean specialised) throws Exception {
        Plan plan = Plans.compile(source.toMat(Sink.<Integer>seq(), Keep.right()));
        if (specialised) {
            specialise(plan);
        }
        return result(plan);
    }

    @SuppressWarnings("unchecked")
    private <T> List<T> result(Plan plan) throws Exception {
        return (List<T>) value(plan);
    }

    private Object value(Plan plan) throws Exception {
        return ((CompletionStage<?>) Plans.run(plan, runtime))
                .toCompletableFuture()
                .get(20, SECONDS);
    }

    private static void specialise(Plan plan) {
        for (Object stage : PlannedStages.of(plan)) {
            if (stage instanceof SegmentStage segmentStage) {
                @Nullable
                SegmentBody body =
                        Specialiser.OF_PROCESS.define(Heat.specialised(segmentStage.segment(), NewObjects.ALL));
                if (body != null) {
                    segmentStage.segment().become(body);
                }
            }
        }
    }

    @Test
    void segmentsBecomeSpecialisedOnceTheyAreHot() throws Exception {
        Plan plan = Plans.compile(Source.range(0, 300_000)
                .map(x -> x + 1)
                .grouped(300_000)
                .map(List::size)
                .toMat(Sink.seq(), Keep.right()));
        Segment segment = ((SegmentStage) PlannedStages.of(plan).get(0)).segment();
        assertThat(segment.body()).isInstanceOf(SegmentChain.class);
        assertThat(result(plan)).containsExactly(300_000);
        Await.until(() -> !(segment.body() instanceof SegmentChain));
        assertThat(segment.body().getClass().isHidden()).isTrue();
        assertThat(result(plan)).containsExactly(300_000);
    }

    @Test
    void aHotFilterPassesOnWhatItWasGiven() throws Exception {
        List<Object> elements = List.of(1, 1_000_000, 5L, Long.MIN_VALUE, 2.5, Double.NaN, 'c', "text", (short) 7);
        Plan plan = Plans.compile(Source.from(elements)
                .filter(x -> !x.equals(5L))
                .filter(x -> !x.equals(1_000_000))
                .filter(x -> !x.equals(2.5))
                .toMat(Sink.seq(), Keep.right()));
        specialise(plan);
        assertThat(this.<Object>result(plan)).containsExactly(1, Long.MIN_VALUE, Double.NaN, 'c', "text", (short) 7);
    }

    @Test
    void aHotFoldGetsWhatItWasGiven() throws Exception {
        assertThat(folded(Source.<Object>of(1_000_000, 2L, 2.5, "x", 'c'), "", (before, x) -> before + "|" + x))
                .isEqualTo("|1000000|2|2.5|x|c");
        assertThat(folded(Source.of(1_000_000, 2_000_000), 5_000_000, Integer::sum))
                .isEqualTo(8_000_000);
        assertThat(folded(Source.of(1_000_000, 2_000_000), 5_000_000_000L, (before, x) -> before + x))
                .isEqualTo(5_003_000_000L);
        assertThat(folded(Source.of(1L << 40, 1L), 1L << 50, Long::sum)).isEqualTo((1L << 50) + (1L << 40) + 1);
        assertThat(folded(Source.of(0.5, 0.25), 1.0, Double::sum)).isEqualTo(1.75);
        assertThat(folded(Source.of(1, 2, 3), 0.5, (before, x) -> before + x)).isEqualTo(6.5);
        assertThat(folded(Source.of(1L, 2L), 1, (before, x) -> before + x.intValue()))
                .isEqualTo(4);
        assertThat(folded(Source.of(-0.0, Double.NaN), "", (before, x) -> before + x))
                .isEqualTo("-0.0NaN");
    }

    @Test
    void aHotFoldMayChangeTheTypeOfWhatItMakes() throws Exception {
        List<Object> stages = List.of(7, 8L, -0.0, "nine", 10L, 11, Double.MIN_VALUE, 'c', 12);
        for (int count = 1; count <= stages.size(); count++) {
            List<Object> seen = new ArrayList<>();
            Object made = folded(Source.from(stages.subList(0, count)), (Object) 0, (before, x) -> {
                seen.add(before);
                return x;
            });
            assertThat(made).isEqualTo(stages.get(count - 1));
            assertThat(seen.subList(1, count)).isEqualTo(stages.subList(0, count - 1));
        }
    }

    @Test
    void aHotReduceAndAHotLastGetWhatTheyWereGiven() throws Exception {
        List<Object> elements = List.of(1_000_000, 2L, 2.5, "x", 'c', 7);
        for (int count = 1; count <= elements.size(); count++) {
            List<Object> some = elements.subList(0, count);
            Plan last = Plans.compile(Source.from(some).toMat(Sink.last(), Keep.right()));
            Plan joined =
                    Plans.compile(Source.from(some).toMat(Sink.reduce((before, x) -> before + "|" + x), Keep.right()));
            specialise(last);
            specialise(joined);
            assertThat(value(last)).isEqualTo(some.get(count - 1));
            assertThat(value(joined).toString())
                    .isEqualTo(some.stream().map(Object::toString).collect(Collectors.joining("|")));
        }
        Plan none = Plans.compile(Source.<Integer>empty().toMat(Sink.last(), Keep.right()));
        specialise(none);
        assertThatThrownBy(() -> value(none)).hasCauseInstanceOf(NoSuchElementException.class);
    }

    @Test
    void whatBecomesHotWhileItRunsGoesOnWithWhatItHas() throws Exception {
        System.gc(); // the classes of other tests are many
        long count = 3_000_000;
        Source<Integer, NotUsed> numbers = Source.range(0, (int) count);
        Plan sum = Plans.compile(numbers.toMat(Sink.fold(0L, (before, x) -> before + x), Keep.right()));
        Plan sumInStream =
                Plans.compile(numbers.fold(0L, (before, x) -> before + x).toMat(Sink.seq(), Keep.right()));
        Plan greatest = Plans.compile(numbers.toMat(Sink.reduce(Math::max), Keep.right()));
        Plan last = Plans.compile(numbers.toMat(Sink.last(), Keep.right()));
        for (int run = 0; run < 3; run++) {
            assertThat(value(sum)).isEqualTo(count * (count - 1) / 2);
            assertThat(value(sumInStream)).isEqualTo(List.of(count * (count - 1) / 2));
            assertThat(value(greatest)).isEqualTo((int) count - 1);
            assertThat(value(last)).isEqualTo((int) count - 1);
        }
        for (Plan plan : List.of(sum, sumInStream, greatest, last)) {
            Segment segment = ((SegmentStage) PlannedStages.of(plan).get(0)).segment();
            Await.until(
                    "it has a class of its own", () -> segment.body().getClass().isHidden());
        }
    }

    private <T, A> Object folded(Source<T, NotUsed> source, A zero, ThrowingBiFunction<A, T, A> function)
            throws Exception {
        Plan inStream = Plans.compile(source.fold(zero, function).toMat(Sink.seq(), Keep.right()));
        Plan atItsEnd = Plans.compile(source.toMat(Sink.fold(zero, function), Keep.right()));
        specialise(inStream);
        specialise(atItsEnd);
        Object result = value(atItsEnd);
        assertThat(value(inStream)).isEqualTo(List.of(result));
        return result;
    }

    @Test
    void whatIsSampledBeforeItIsHotIsEmittedAsEver() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        Flow<Integer, Integer, NotUsed> resuming = Flow.<Integer>create()
                .filter(x -> {
                    if (x % 10 == 3) {
                        failures.incrementAndGet();
                        throw new IllegalArgumentException("not this one");
                    }
                    return x % 2 == 1;
                })
                .withAttributes(Attributes.supervision(Supervision.resume()));
        Plan plan = Plans.compile(Source.range(0, 200_000)
                .map(x -> x + 1)
                .via(resuming)
                .map(x -> x + 1)
                .toMat(Sink.seq(), Keep.right()));
        List<Integer> expected = IntStream.rangeClosed(1, 200_000)
                .filter(x -> x % 10 != 3 && x % 2 == 1)
                .map(x -> x + 1)
                .boxed()
                .toList();
        assertThat(this.<Integer>result(plan)).isEqualTo(expected);
        assertThat(failures).hasValue(20_000);
    }

    @Test
    void whereNoMoreClassesMayLiveNothingIsSampledForEver() throws Exception {
        Plan plan = Plans.compile(Source.range(0, 200_000)
                .map(x -> x + 1)
                .filter(x -> x > 199_999)
                .toMat(Sink.seq(), Keep.right()));
        Segment segment = ((SegmentStage) PlannedStages.of(plan).get(0)).segment();
        List<SegmentBody> live = new ArrayList<>();
        fill(live, segment.line());
        assertThat(this.<Integer>result(plan)).containsExactly(200_000);
        assertThat(segment.body()).isExactlyInstanceOf(SegmentChain.class);
        assertThat(live).as("what kept them alive until here").isNotEmpty();
        live.clear();
        Await.until("there is room again", () -> {
            System.gc();
            return Specialiser.OF_PROCESS.define(segment.line()) != null;
        });
    }

    /** Leaves no room, and none either when what other tests have left is collected. */
    static void fill(List<SegmentBody> live, HotLine line) {
        int before;
        do {
            before = live.size();
            System.gc();
            for (SegmentBody body = Specialiser.OF_PROCESS.define(line); body != null; ) {
                live.add(body);
                body = Specialiser.OF_PROCESS.define(line);
            }
        } while (live.size() > before);
    }

    @Test
    void specialisedClassGoesWithItsSegment() {
        WeakReference<Class<?>> specialised = new WeakReference<>(define());
        Await.until(() -> {
            System.gc();
            return specialised.get() == null;
        });
    }

    /** There is none while too many live, of other tests. */
    private static Class<?> define() {
        AtomicReference<Class<?>> defined = new AtomicReference<>();
        Await.until(() -> {
            SegmentBody body = Specialiser.OF_PROCESS.define(new HotLine(null, new Step<?>[0]));
            if (body == null) {
                System.gc();
                return false;
            }
            defined.set(body.getClass());
            return true;
        });
        return defined.get();
    }

    @Test
    void supervisionHoldsForTheOperatorThatThrowsInBothForms() throws Exception {
        for (boolean specialised : new boolean[] {false, true}) {
            AtomicInteger states = new AtomicInteger();
            RunnableGraph<CompletionStage<List<Integer>>> graph = Source.range(0, 10)
                    .map(x -> x)
                    .scan(0, (sum, x) -> {
                        if (x == 5) {
                            throw new IllegalStateException("five");
                        }
                        states.incrementAndGet();
                        return sum + x;
                    })
                    .withAttributes(Attributes.supervision(Supervision.restart()))
                    .map(x -> x)
                    .toMat(Sink.seq(), Keep.right());
            Plan plan = Plans.compile(graph);
            if (specialised) {
                specialise(plan);
            }
            assertThat(result(plan)).isEqualTo(List.of(0, 0, 1, 3, 6, 10, 6, 13, 21, 30));
            assertThat(states).hasValue(9);
        }
    }

    @Test
    void longLinesAreCutIntoSegmentsThatAllRun() throws Exception {
        Source<Integer, NotUsed> source = Source.range(0, 100);
        for (int i = 0; i < 1_000; i++) {
            source = source.map(x -> x + 1);
        }
        assertThat(collect(source, false))
                .isEqualTo(IntStream.range(1_000, 1_100).boxed().toList());
        assertThat(collect(source, true))
                .isEqualTo(IntStream.range(1_000, 1_100).boxed().toList());
    }
}
