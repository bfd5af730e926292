package io.millrace.streams.operator.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.testkit.Operator;
import io.millrace.testkit.StreamLeakCheck;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import io.millrace.testkit.VirtualTimeScheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What starts again when it ends, on a clock moved by hand and on the test's own thread. */
class RestartingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private final IOException mine = new IOException("mine");
    private static final RestartSettings SETTINGS = RestartSettings.of(
            Backoff.exponential(SECOND, SECOND.multipliedBy(4)).withJitter(0));

    private final VirtualTimeScheduler time = new VirtualTimeScheduler();
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withExecutor(Runnable::run), time);
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void nothingIsLeft() {
        StreamLeakCheck.assertNoStreams(runtime);
        assertThat(time.waiting()).isZero();
        runtime.close();
    }

    private Source<Integer, NotUsed> numbered() {
        return Source.single(runs.incrementAndGet());
    }

    private TestSink<Integer> run(Source<Integer, NotUsed> source) {
        return source.runWith(TestSink.probe(), runtime);
    }

    @Test
    @Operator("restarting")
    void completionAndFailureStartItAgainAfterLongerAndLongerWaits() {
        TestSink<Integer> sink = run(Source.restarting(SETTINGS, () -> {
            int run = runs.incrementAndGet();
            if (run == 4) {
                throw mine;
            }
            return run % 2 == 0 ? Source.single(run) : Source.single(run).concat(Source.failed(mine));
        }));
        sink.request(10).expectNext(1);
        time.advance(SECOND.minusNanos(1));
        sink.expectNothing(Duration.ZERO);
        time.advance(Duration.ofNanos(1));
        sink.expectNext(2);
        time.advance(SECOND.multipliedBy(2));
        sink.expectNext(3);
        time.advance(SECOND.multipliedBy(4)); // the fourth cannot be made
        sink.expectNothing(Duration.ZERO);
        time.advance(SECOND.multipliedBy(4));
        sink.expectNext(5);
        sink.cancel();
    }

    /** It has taken all that it wanted when upstream fails: nothing has told of that yet. */
    @Test
    @Operator("restarting")
    void aFailureThatWentThroughNoFlowIsToldWhenTheFlowEnds() {
        Pair<TestSource<Integer>, Source<Integer, NotUsed>> inner =
                TestSource.<Integer>probe().preMaterialize(runtime);
        Pair<TestSource<Integer>, TestSink<Integer>> ends = run(
                Flow.restarting(SETTINGS, () -> Flow.<Integer>create().take(1).flatMapConcat(x -> inner.second())));
        ends.second().request(10);
        ends.first().send(1);
        inner.first().send(7);
        ends.second().expectNext(7);
        ends.first().fail(mine);
        inner.first().complete();
        assertThat(ends.second().expectError()).isSameAs(mine);
    }

    /** It ends by itself, and the failure is behind what it has taken. */
    @Test
    @Operator("restarting")
    void aFailureThatAFlowWasHandedAndHasNotHeardOfIsTold() {
        Flow<Integer, Integer, NotUsed> one = Flow.<Integer>create().take(1);
        List<Flow<Integer, Integer, NotUsed>> flows = List.of(one, one.async(), staged().via(one), one.via(staged()));
        for (Flow<Integer, Integer, NotUsed> flow : flows) {
            for (Source<Integer, NotUsed> upstream : List.of(Source.of(7), Source.of(7, 8))) {
                TestSink<Integer> sink =
                        run(upstream.concat(Source.<Integer>failed(mine)).via(Flow.restarting(SETTINGS, () -> flow)));
                sink.request(10).expectNext(7);
                assertThat(sink.expectError()).isSameAs(mine);
            }
        }
    }

    private static Flow<Integer, Integer, NotUsed> staged() {
        return Flow.<Integer>create().viaMat(KillSwitches.single(), Keep.left());
    }

    @Test
    @Operator("restarting")
    void whatAFlowMakesOfUpstreamsFailureIsTheEnd() {
        Flow<Integer, Integer, NotUsed> completing = Flow.<Integer>create().onErrorComplete();
        for (Flow<Integer, Integer, NotUsed> flow : List.of(
                completing,
                completing.async(),
                Flow.<Integer>create().async().onErrorComplete(),
                staged().via(completing),
                Flow.<Integer>create().recoverWith(failure -> Source.empty()))) {
            TestSink<Integer> sink =
                    run(Source.of(7).concat(Source.<Integer>failed(mine)).via(Flow.restarting(SETTINGS, () -> flow)));
            sink.request(10).expectNext(7).expectComplete();
        }
    }

    @Test
    @Operator("restarting")
    void aFailureBehindAnElementThatWaitedForTheNextFlowIsTold() {
        Pair<TestSource<Integer>, TestSink<Integer>> ends =
                run(Flow.restarting(SETTINGS, () -> Flow.<Integer>create().take(1)));
        ends.second().request(10);
        ends.first().send(1);
        ends.second().expectNext(1);
        ends.first().send(2).fail(mine);
        time.advance(SECOND);
        ends.second().expectNext(2);
        assertThat(ends.second().expectError()).isSameAs(mine);
    }

    @Test
    @Operator("restarting")
    void onFailuresOnlyItCompletesWhenTheSourceDoes() {
        TestSink<Integer> sink = run(Source.restarting(
                SETTINGS.onFailuresOnly(),
                () -> runs.incrementAndGet() == 1 ? Source.failed(mine) : Source.single(runs.get())));
        sink.request(10);
        time.advance(SECOND);
        sink.expectNext(2).expectComplete();
    }

    @Test
    @Operator("restarting")
    void failuresThatAreNotMeantAndRestartsThatAreUsedUpGoThrough() {
        TestSink<Integer> unmeant = run(Source.restarting(
                SETTINGS.withRestartOn(failure -> failure instanceof RuntimeException), () -> Source.failed(mine)));
        assertThat(unmeant.expectError()).isSameAs(mine);
        TestSink<Integer> usedUp = run(Source.restarting(
                SETTINGS.withMaxRestarts(2, Duration.ofDays(1)),
                () -> numbered().concat(Source.failed(mine))));
        usedUp.request(10).expectNext(1);
        time.advance(SECOND.multipliedBy(3));
        usedUp.expectNext(2, 3);
        assertThat(usedUp.expectError()).isSameAs(mine);
    }

    @Test
    @Operator("restarting")
    void aRunThatLastsLongEnoughBeginsTheCountAnew() {
        RestartSettings one = SETTINGS.withMaxRestarts(1, Duration.ofMinutes(1));
        TestSink<Integer> sink = run(Source.restarting(
                one,
                () -> numbered()
                        .concat(Source.tick(Duration.ofMinutes(1), SECOND, 0).take(1))
                        .concat(Source.failed(mine))));
        sink.request(10).expectNext(1);
        for (int i = 2; i < 5; i++) {
            time.advance(Duration.ofMinutes(1));
            sink.expectNext(0);
            time.advance(SECOND);
            sink.expectNext(i);
        }
        sink.cancel();
    }

    @Test
    @Operator("restarting")
    void demandThatIsOpenIsTakenOverByTheNextRun() {
        AtomicInteger made = new AtomicInteger();
        Pair<TestSource<Integer>, Source<Integer, NotUsed>> second =
                TestSource.<Integer>probe().preMaterialize(runtime);
        TestSink<Integer> sink =
                run(Source.restarting(SETTINGS, () -> made.incrementAndGet() == 1 ? Source.empty() : second.second()));
        sink.request(1);
        time.advance(SECOND);
        second.first().send(1).send(2);
        sink.expectNext(1).expectNothing(Duration.ZERO);
        sink.cancel();
        second.first().awaitCancellation();
    }

    private Pair<TestSource<Integer>, TestSink<Integer>> run(Flow<Integer, Integer, NotUsed> flow) {
        return TestSource.<Integer>probe()
                .via(flow)
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
    }

    @Test
    @Operator("restarting")
    void aFlowThatEndsIsMadeAgainForWhatComesNext() {
        Pair<TestSource<Integer>, TestSink<Integer>> ends = run(Flow.restarting(SETTINGS, () -> {
            int run = runs.incrementAndGet();
            return Flow.<Integer>create().take(2).map(x -> run * 100 + x);
        }));
        ends.second().request(10);
        ends.first().send(1).send(2);
        ends.second().expectNext(101, 102);
        ends.first().send(3);
        ends.second().expectNothing(Duration.ZERO);
        time.advance(SECOND);
        ends.second().expectNext(203);
        ends.first().complete();
        ends.second().expectComplete();
        assertThat(runs).hasValue(2);
    }

    @Test
    @Operator("restarting")
    void aFlowThatFailsIsMadeAgainAsOftenAsTheSettingsSay() {
        Pair<TestSource<Integer>, TestSink<Integer>> ends = run(Flow.restarting(
                SETTINGS.withMaxRestarts(1, Duration.ofDays(1)),
                () -> Flow.<Integer>create().map(x -> {
                    throw mine;
                })));
        ends.second().request(10);
        ends.first().send(1);
        time.advance(SECOND);
        ends.first().send(2);
        assertThat(ends.second().expectError()).hasStackTraceContaining("mine");
        ends.first().awaitCancellation();
    }

    @Test
    @Operator("restarting")
    void anElementThatCameWhileNoFlowRanIsThereAfterTheCompletion() {
        Pair<TestSource<Integer>, TestSink<Integer>> ends =
                run(Flow.restarting(SETTINGS, () -> Flow.<Integer>create().take(1)));
        ends.second().request(10);
        ends.first().send(1);
        ends.second().expectNext(1);
        ends.first().send(2);
        ends.first().complete();
        time.advance(SECOND);
        ends.second().expectNext(2).expectComplete();
    }

    @Test
    @Operator("restarting")
    void cancellationAndUpstreamsFailureEndAFlowForGood() {
        Pair<TestSource<Integer>, TestSink<Integer>> cancelled =
                run(Flow.restarting(SETTINGS, () -> Flow.<Integer>create()));
        cancelled.second().request(1);
        cancelled.first().send(1);
        cancelled.second().expectNext(1).cancel();
        cancelled.first().awaitCancellation();
        Pair<TestSource<Integer>, TestSink<Integer>> failed =
                run(Flow.restarting(SETTINGS, () -> Flow.<Integer>create()));
        failed.second().request(1);
        failed.first().fail(mine);
        assertThat(failed.second().expectError()).hasStackTraceContaining("mine");
    }

    @Test
    @Operator("restarting")
    void aSinkThatCancelsOrFailsIsMadeAgain() {
        List<Integer> seen = new ArrayList<>();
        TestSource<Integer> source = TestSource.<Integer>probe()
                .to(Sink.restarting(SETTINGS, () -> {
                    int run = runs.incrementAndGet();
                    return Flow.<Integer>create()
                            .take(run == 1 ? 1 : 10)
                            .map(x -> run == 2 ? fail() : x)
                            .to(Sink.foreach(seen::add));
                }))
                .run(runtime);
        source.send(1);
        assertThat(seen).containsExactly(1);
        time.advance(SECOND);
        source.send(2);
        time.advance(SECOND.multipliedBy(2));
        source.send(3).send(4);
        assertThat(seen).containsExactly(1, 3, 4);
        source.complete();
        assertThat(runs).hasValue(3);
    }

    private Integer fail() throws IOException {
        throw mine;
    }
}
