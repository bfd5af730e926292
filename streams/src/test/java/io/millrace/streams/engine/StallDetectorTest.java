package io.millrace.streams.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Await;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StallDetector;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.FanOutShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.inspect.StallReport;
import io.millrace.streams.inspect.StallReport.Reason;
import io.millrace.streams.inspect.StreamSnapshot;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StallDetectorTest extends EngineTest {
    private static final int LOOKS = 20;

    private final BlockingQueue<StallReport> reports = new LinkedBlockingQueue<>();

    private final StallDetector detector = StallDetector.start(runtime, Duration.ofMillis(50), reports::add);

    @AfterEach
    void stopLooking() {
        detector.close();
    }

    /** The report that names these for this reason. A stream that has not had its turns yet on a busy machine is reported with others before. */
    private StallReport reportOf(Reason reason, String... names) throws InterruptedException {
        Set<String> expected = Set.of(names);
        List<StallReport> others = new ArrayList<>();
        for (StallReport report = poll(others); ; report = poll(others)) {
            List<StallReport.Culprit> culprits = report.culprits();
            if (culprits.size() == expected.size()
                    && culprits.stream().allMatch(culprit -> expected.contains(culprit.name()))
                    && culprits.get(0).reason() == reason) {
                return report;
            }
            others.add(report);
        }
    }

    private StallReport poll(List<StallReport> others) throws InterruptedException {
        StallReport report = reports.poll(10, TimeUnit.SECONDS);
        assertThat(report).as("a report; others were %s", others).isNotNull();
        return report;
    }

    @Test
    void sourceThatSendsNothingIsNamedOnceForEachStop() throws Exception {
        Pair<TestSource<Integer>, TestSink<Integer>> probes = TestSource.<Integer>probe()
                .mapAsync(1, CompletableFuture::completedFuture)
                .async()
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        probes.second().request(100);
        StallReport report = reportOf(Reason.SENDS_NOTHING, "testSource");
        assertThat(report.toString()).contains("testSource (SENDS_NOTHING)");
        assertThat(reports.poll(200, TimeUnit.MILLISECONDS)).isNotEqualTo(report);
        probes.first().send(1);
        probes.second().expectNext(1);
        reportOf(Reason.SENDS_NOTHING, "testSource");
        probes.second().cancel();
    }

    @Test
    void sinkThatDoesNotAskIsNamed() throws Exception {
        TestSink<Integer> sink = Source.repeat(1)
                .mapAsync(1, CompletableFuture::completedFuture)
                .async()
                .mapAsync(1, CompletableFuture::completedFuture)
                .runWith(TestSink.probe(), runtime);
        reportOf(Reason.ASKS_FOR_NOTHING, "testSink");
        sink.cancel();
    }

    @Test
    void stageThatBlocksIsNamed() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Source.single(1)
                .mapAsync(1, x -> {
                    release.await(20, TimeUnit.SECONDS);
                    return CompletableFuture.completedFuture(x);
                })
                .runWith(Sink.ignore(), runtime);
        reportOf(Reason.RUNS, "mapAsync");
        release.countDown();
    }

    private static <T> T blocked(CountDownLatch release, T value) throws InterruptedException {
        release.await(20, TimeUnit.SECONDS);
        return value;
    }

    @Test
    void stageThatBlocksWhileItFeedsTheNextIsNamed() throws Exception {
        Source<Integer, NotUsed> numbers = Source.range(0, 3);
        Source<Integer, NotUsed> last = Source.of(9);
        assertBlockedIn(
                "range | map", release -> numbers.map(x -> blocked(release, x)).concat(last));
        assertBlockedIn(
                "mapAsync",
                release -> numbers.mapAsync(2, x -> blocked(release, CompletableFuture.completedFuture(x)))
                        .merge(last));
        assertBlockedIn(
                "flatMapConcat",
                release -> numbers.flatMapConcat(x -> blocked(release, Source.of(x)))
                        .concat(last));
        assertBlockedIn("zipWith", release -> numbers.zipWith(numbers, (a, b) -> blocked(release, a)));
    }

    private void assertBlockedIn(String stage, Function<CountDownLatch, Source<Integer, NotUsed>> blocking)
            throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CompletionStage<Done> end = blocking.apply(release).runWith(Sink.ignore(), runtime);
        reportOf(Reason.RUNS, stage);
        release.countDown();
        end.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void circleOfWaitingStagesIsNamed() throws Exception {
        Graph<ClosedShape, UniqueKillSwitch> circle =
                GraphBuilder.create(KillSwitches.<Integer>single(), (builder, end) -> {
                    FanInShape<Integer, Integer> join = builder.add(Junctions.<Integer>concat(2));
                    FanOutShape<Integer, Integer> split = builder.add(Junctions.<Integer>broadcast(2));
                    builder.connect(builder.add(Source.<Integer>empty()).out(), join.in(0));
                    builder.connect(join.out(), end.in()).connect(end.out(), split.in());
                    builder.connect(split.out(0), join.in(1));
                    builder.connect(
                            split.out(1), builder.add(Sink.<Object>ignore()).in());
                    return ClosedShape.of();
                });
        UniqueKillSwitch end = RunnableGraph.fromGraph(circle).run(runtime);
        reportOf(Reason.WAITS_IN_A_CIRCLE, "concat", "killSwitch", "broadcast");
        end.shutdown();
    }

    @Test
    void aStreamOfOneStageLooksDifferentEachTimeAsLongAsItMoves() {
        AtomicLong passed = new AtomicLong();
        AtomicBoolean goesOn = new AtomicBoolean(true);
        Source.repeat(1)
                .takeWhile(x -> passed.incrementAndGet() > 0 && goesOn.get())
                .runWith(Sink.ignore(), runtime);
        Set<StreamSnapshot> looks = new HashSet<>();
        for (int i = 0; i < LOOKS; i++) {
            looks.addAll(runtime.snapshot().streams());
            long before = passed.get();
            Await.until("some batches have passed", () -> passed.get() > before + 10_000);
        }
        assertThat(looks).hasSize(LOOKS);
        goesOn.set(false);
    }

    @Test
    void aListenerThatThrowsHearsOfTheNextStop() throws Exception {
        BlockingQueue<StallReport> heard = new LinkedBlockingQueue<>();
        try (StallDetector throwing = StallDetector.start(runtime, Duration.ofMillis(50), report -> {
            heard.add(report);
            throw new IllegalStateException("wanted by the test");
        })) {
            assertThat(throwing).isNotNull();
            Pair<TestSource<Integer>, TestSink<Integer>> probes = TestSource.<Integer>probe()
                    .toMat(TestSink.<Integer>probe(), Keep.both())
                    .run(runtime);
            probes.second().request(100);
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isNotNull();
            probes.first().send(1);
            probes.second().expectNext(1);
            assertThat(heard.poll(20, TimeUnit.SECONDS)).as("the next stop").isNotNull();
            probes.second().cancel();
        }
    }

    /** Asks for one element, and throws when it is asked for its detail. */
    private static final class Secretive extends GraphStage<SinkShape<Integer>> {
        private final Inlet<Integer> in = Inlet.create("in");
        private final SinkShape<Integer> shape = SinkShape.of(in);

        @Override
        public SinkShape<Integer> shape() {
            return shape;
        }

        @Override
        public GraphStageLogic createLogic(Attributes inherited) {
            return new Logic();
        }

        private final class Logic extends GraphStageLogic implements InHandler {
            Logic() {
                super(shape);
                setHandler(in, this);
            }

            @Override
            public void preStart() {
                pull(in);
            }

            @Override
            public void onPush() {
                grab(in);
            }

            @Override
            public Map<String, Long> detail() {
                throw new IllegalStateException("no words");
            }
        }
    }

    @Test
    void aStageThatThrowsWhenItIsAskedForItsDetailIsShownWithThat() throws Exception {
        TestSource<Integer> source = TestSource.<Integer>probe()
                .toMat(Sink.fromGraph(new Secretive()), Keep.left())
                .run(runtime);
        Await.until(
                "the snapshot has it", () -> runtime.snapshot().toString().contains("IllegalStateException: no words"));
        reportOf(Reason.SENDS_NOTHING, "testSource");
        source.complete();
    }
}
