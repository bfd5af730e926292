package io.millrace.streams.operator.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.schedule.Disposable;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import io.millrace.testkit.VirtualTimeScheduler;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operators that look at the time, on a clock moved by hand and on the test's own thread. */
class TimedOperatorsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Executor SAME_THREAD = Runnable::run;

    private final VirtualTimeScheduler time = new VirtualTimeScheduler();
    private final StreamRuntime runtime =
            StreamRuntime.create(RuntimeSettings.defaults().withExecutor(SAME_THREAD), time);

    @AfterEach
    void close() {
        runtime.close();
    }

    private record Probes(TestSource<Integer> source, TestSink<Integer> sink) {}

    private Probes runTimeout() {
        Pair<TestSource<Integer>, TestSink<Integer>> probes = TestSource.<Integer>probe()
                .timeout(SECOND)
                .toMat(TestSink.probe(), Keep.both())
                .run(runtime);
        return new Probes(probes.first(), probes.second());
    }

    @Test
    void anElementThatIsAskedForMustComeInTime() {
        Probes probes = runTimeout();
        probes.sink().request(1);
        probes.source().expectPull();
        time.advance(SECOND.minusMillis(1));
        probes.sink().expectNothing(Duration.ZERO);
        time.advance(Duration.ofMillis(100));
        assertThat(probes.sink().expectError())
                .isInstanceOf(TimeoutException.class)
                .hasMessage("no element within PT1S");
        probes.source().expectCancellation();
        assertThat(time.waiting()).isZero();
    }

    @Test
    void eachElementMovesTheDeadline() {
        Probes probes = runTimeout();
        for (int i = 0; i < 10; i++) {
            probes.sink().request(1);
            probes.source().expectPull();
            time.advance(Duration.ofMillis(900));
            probes.source().send(i);
            probes.sink().expectNext(i);
        }
        assertThat(time.waiting()).isOne();
        probes.source().complete();
        probes.sink().expectComplete();
        assertThat(time.waiting()).isZero();
    }

    @Test
    void noTimePassesWhileNothingIsAskedFor() {
        Probes probes = runTimeout();
        time.advance(Duration.ofDays(1));
        probes.sink().request(1);
        probes.source().expectPull();
        time.advance(Duration.ofMillis(990));
        probes.source().send(1);
        probes.sink().expectNext(1);
        time.advance(Duration.ofDays(1));
        probes.sink().expectNothing(Duration.ZERO);
    }

    @Test
    void aTimeoutOfZeroIsRefused() {
        assertThatThrownBy(() -> Source.never().timeout(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ticksComeOncePerPeriodAndAreLeftOutWhenNobodyAsks() {
        Pair<Disposable, TestSink<String>> run = Source.tick(SECOND, Duration.ofSeconds(10), "tick")
                .toMat(TestSink.<String>probe(), Keep.both())
                .run(runtime);
        TestSink<String> sink = run.second();
        sink.request(1);
        time.advance(SECOND.minusNanos(1));
        sink.expectNothing(Duration.ZERO);
        time.advance(Duration.ofNanos(1));
        sink.expectNext("tick");
        time.advance(Duration.ofSeconds(30));
        sink.expectNothing(Duration.ZERO);
        sink.request(2);
        sink.expectNothing(Duration.ZERO);
        time.advance(Duration.ofSeconds(20));
        sink.expectNext("tick");
        sink.expectNext("tick");
        assertThat(run.first().isDisposed()).isFalse();
        run.first().dispose();
        run.first().dispose();
        sink.expectComplete();
        assertThat(run.first().isDisposed()).isTrue();
        assertThat(time.waiting()).isZero();
    }

    @Test
    void ticksEndWithTheirStream() {
        Pair<Disposable, TestSink<String>> run = Source.tick(SECOND, SECOND, "tick")
                .toMat(TestSink.<String>probe(), Keep.both())
                .run(runtime);
        run.second().cancel();
        assertThat(run.first().isDisposed()).isTrue();
        assertThat(time.waiting()).isZero();
    }

    @Test
    void aPeriodOfZeroIsRefused() {
        assertThatThrownBy(() -> Source.tick(SECOND, Duration.ZERO, "tick"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTimerThatElapsesWakesARealRuntimeToo() {
        try (StreamRuntime real = StreamRuntime.create()) {
            assertThat(Source.tick(Duration.ofMillis(1), Duration.ofMillis(1), 7)
                            .take(3)
                            .runWith(Sink.seq(), real)
                            .toCompletableFuture()
                            .join())
                    .containsExactly(7, 7, 7);
            assertThatThrownBy(() -> Source.never()
                            .timeout(Duration.ofMillis(5))
                            .runWith(Sink.ignore(), real)
                            .toCompletableFuture()
                            .join())
                    .hasCauseInstanceOf(TimeoutException.class);
        }
    }
}
