package io.millrace.streams.engine;

import static io.millrace.streams.Await.await;
import static io.millrace.streams.Await.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.SharedKillSwitch;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.SubSinkInlet;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timers, kill switches and sub-streams. */
final class OutsideEventsTest extends EngineTest {
    private static final class Ticking extends GraphStageLogic implements OutHandler {
        private final SourceShape<String> shape;

        Ticking(SourceShape<String> shape) {
            super(shape);
            this.shape = shape;
            setHandler(shape.out(), this);
        }

        @Override
        public void preStart() {
            schedulePeriodically("tick", Duration.ZERO, Duration.ofMillis(1));
            scheduleOnce("never", Duration.ofMillis(1));
            cancelTimer("never");
            scheduleOnce("replaced", Duration.ofDays(1));
            scheduleOnce("replaced", Duration.ofMillis(1));
        }

        @Override
        public void onTimer(Object key) {
            emit(shape.out(), key + (isTimerActive(key) ? "+" : "-"));
        }

        @Override
        public void onPull() {
            // Elements come with the timers.
        }
    }

    @Test
    void timersFireUntilTheyAreCancelledOrTheStageStops() throws Exception {
        var source =
                TestStages.<String, NotUsed>source(shape -> new LogicAndValue<>(new Ticking(shape), NotUsed.NOT_USED));
        AtomicInteger events = new AtomicInteger();
        AtomicBoolean isReplaced = new AtomicBoolean();
        var seen = await(Source.fromGraph(source)
                .takeThrough(key -> {
                    isReplaced.compareAndSet(false, key.startsWith("replaced"));
                    return events.incrementAndGet() < 50 || !isReplaced.get();
                })
                .runWith(Sink.seq(), runtime));
        assertThat(seen)
                .contains("tick+")
                .containsOnlyOnce("replaced-")
                .doesNotContain("never-", "never+", "replaced+");
    }

    @Test
    void uniqueSwitchCompletesOrFailsItsOwnStreamOnly() throws Exception {
        var graph = TestSource.<Integer>probe()
                .viaMat(KillSwitches.<Integer>single(), Keep.both())
                .toMat(TestSink.<Integer>probe(), Keep.both());
        Pair<Pair<TestSource<Integer>, UniqueKillSwitch>, TestSink<Integer>> one = graph.run(runtime);
        Pair<Pair<TestSource<Integer>, UniqueKillSwitch>, TestSink<Integer>> two = graph.run(runtime);
        one.first().second().shutdown();
        one.second().expectComplete();
        one.first().first().awaitCancellation();
        two.second().request(1);
        two.first().first().send(5);
        two.second().expectNext(5);
        RuntimeException thrown = new IllegalStateException("mine");
        two.first().second().abort(thrown);
        assertThat(two.second().expectError()).isSameAs(thrown);
        assertThat(two.first().first().awaitCancellation()).isSameAs(thrown);
    }

    @Test
    void sharedSwitchEndsRunningStreamsAndThoseThatComeLater() {
        SharedKillSwitch shared = KillSwitches.shared("all");
        Source<Integer, SharedKillSwitch> source = Source.<Integer>never().viaMat(shared.<Integer>flow(), Keep.right());
        TestSink<Integer> one = source.runWith(TestSink.probe(), runtime);
        TestSink<Integer> two = source.runWith(TestSink.probe(), runtime);
        shared.shutdown();
        shared.abort(new IllegalStateException("too late to count"));
        one.expectComplete();
        two.expectComplete();
        source.runWith(TestSink.<Integer>probe(), runtime).expectComplete();
    }

    @Test
    void sharedSwitchThatWasThrownBeforeLetsNothingThrough() throws Exception {
        SharedKillSwitch shut = KillSwitches.shared("shut");
        shut.shutdown();
        assertThat(await(Source.range(0, 100).via(shut.<Integer>flow()).runWith(Sink.seq(), runtime)))
                .isEmpty();
        SharedKillSwitch aborted = KillSwitches.shared("aborted");
        RuntimeException thrown = new IllegalStateException("mine");
        aborted.abort(thrown);
        AtomicInteger passed = new AtomicInteger();
        assertThat(awaitFailure(Source.range(0, 100)
                        .via(aborted.<Integer>flow())
                        .runWith(Sink.foreach(x -> passed.incrementAndGet()), runtime)))
                .isSameAs(thrown);
        assertThat(passed).hasValue(0);
        assertThat(reported).isEmpty();
    }

    /** Emits what a sub-stream delivers, one by one as it is asked. */
    private static class Flattened extends GraphStageLogic implements OutHandler, InHandler {
        private final SourceShape<Integer> shape;
        private final Source<Integer, ?> inner;
        final SubSinkInlet<Integer> sub = subSinkInlet("inner");

        Flattened(SourceShape<Integer> shape, Source<Integer, ?> inner) {
            super(shape);
            this.shape = shape;
            this.inner = inner;
            setHandler(shape.out(), this);
            sub.setHandler(this);
        }

        @Override
        public void preStart() {
            Materializer here = materializer();
            inner.runWith(sub.sink(), here);
        }

        @Override
        public void onPull() {
            sub.pull();
        }

        @Override
        public void onPush() {
            push(shape.out(), sub.grab());
        }
    }

    private static Source<Integer, NotUsed> flattened(Source<Integer, ?> inner) {
        return Source.fromGraph(TestStages.<Integer, NotUsed>source(
                shape -> new LogicAndValue<>(new Flattened(shape, inner), NotUsed.NOT_USED)));
    }

    @Test
    void subStreamDeliversItsElementsAndItsEndToItsOwner() throws Exception {
        assertThat(await(flattened(Source.range(0, 200)).runWith(Sink.seq(), runtime)))
                .hasSize(200);
        RuntimeException thrown = new IllegalStateException("mine");
        assertThat(awaitFailure(flattened(Source.failed(thrown)).runWith(Sink.ignore(), runtime)))
                .isSameAs(thrown);
    }

    @Test
    void stoppingTheOwnerCancelsTheSubStream() throws Exception {
        CompletableFuture<CompletionStage<?>> ended = new CompletableFuture<>();
        Source<Integer, ?> inner = Source.<Integer>never()
                .watchTermination(Keep.right())
                .mapMaterializedValue(termination -> {
                    ended.complete(termination);
                    return NotUsed.NOT_USED;
                });
        TestSink<Integer> sink = flattened(inner).runWith(TestSink.probe(), runtime);
        sink.request(1);
        CompletionStage<?> termination = await(ended);
        sink.cancel();
        await(termination);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatASubSinkIsCancelledWithReachesAStreamThatIsOnlyBeginning(boolean isRun) throws Exception {
        RuntimeException cause = new IllegalStateException("mine");
        CompletableFuture<TestSource<Integer>> inner = new CompletableFuture<>();
        var source = TestStages.<Integer, NotUsed>source(shape -> new LogicAndValue<>(
                new Flattened(shape, TestSource.<Integer>probe().mapMaterializedValue(inner::complete)) {
                    @Override
                    public void preStart() {
                        if (isRun) {
                            super.preStart();
                            sub.cancel(cause);
                        } else {
                            sub.cancel(cause);
                            super.preStart();
                        }
                        completeStage();
                    }
                },
                NotUsed.NOT_USED));
        await(Source.fromGraph(source).runWith(Sink.ignore(), runtime));
        assertThat(await(inner).awaitCancellation()).isSameAs(cause);
    }

    @Test
    void aSecondRunIntoASubSinkIsRefusedAndTheFirstOneGoesOn() throws Exception {
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        var source = TestStages.<Integer, NotUsed>source(shape -> new LogicAndValue<>(
                new Flattened(shape, Source.range(0, 200)) {
                    @Override
                    public void preStart() {
                        super.preStart();
                        refused.complete(
                                catchThrowable(() -> Source.<Integer>empty().runWith(sub.sink(), materializer())));
                    }
                },
                NotUsed.NOT_USED));
        assertThat(await(Source.fromGraph(source).runWith(Sink.seq(), runtime))).hasSize(200);
        assertThat(await(refused)).hasStackTraceContaining("sub-sink inner was run into twice");
    }
}
