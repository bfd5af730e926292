package io.millrace.streams.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.UniqueKillSwitch;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.LogSettings;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.inspect.Monitor;
import io.millrace.testkit.Operator;
import io.millrace.testkit.TestSink;
import io.millrace.testkit.TestSource;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Watching and steering a stream, on the test's own thread. */
class ControlTest {
    private static final Executor SAME_THREAD = Runnable::run;
    private final RuntimeException mine = new IllegalStateException("mine");

    private final List<StreamException> reports = new ArrayList<>();
    private final StreamRuntime runtime = StreamRuntime.create(
            RuntimeSettings.defaults().withExecutor(SAME_THREAD).withFailureReporter(reports::add));

    @AfterEach
    void close() {
        runtime.close();
    }

    private Pair<Monitor<Integer>, TestSource<Integer>> monitored(boolean cancelled) {
        Pair<Pair<TestSource<Integer>, Monitor<Integer>>, TestSink<Integer>> run = TestSource.<Integer>probe()
                .monitor(Keep.<TestSource<Integer>, Monitor<Integer>>both())
                .toMat(TestSink.<Integer>probe(), Keep.both())
                .run(runtime);
        run.second().request(10);
        if (cancelled) {
            run.second().cancel(mine);
        }
        return new Pair<>(run.first().second(), run.first().first());
    }

    @Test
    @Operator("monitor")
    void aMonitorShowsWhatHasGoneThroughAndHowItEnds() {
        Pair<Monitor<Integer>, TestSource<Integer>> run = monitored(false);
        Monitor<Integer> monitor = run.first();
        assertThat(monitor.lastElement()).isEmpty();
        run.second().send(7).send(8);
        assertThat(monitor.count()).isEqualTo(2);
        assertThat(monitor.lastElement()).contains(8);
        assertThat(monitor.state()).isEqualTo(Monitor.State.RUNNING);
        run.second().complete();
        assertThat(monitor.state()).isEqualTo(Monitor.State.COMPLETED);
        assertThat(monitor.cause()).isEmpty();
    }

    @Test
    @Operator("monitor")
    void aMonitorTellsFailureCancellationAndForceApart() {
        Pair<Monitor<Integer>, TestSource<Integer>> failed = monitored(false);
        failed.second().fail(mine);
        assertThat(failed.first().state()).isEqualTo(Monitor.State.FAILED);
        assertThat(failed.first().cause()).contains(mine);
        Pair<Monitor<Integer>, TestSource<Integer>> cancelled = monitored(true);
        assertThat(cancelled.first().state()).isEqualTo(Monitor.State.CANCELLED);
        assertThat(cancelled.first().cause()).contains(mine);
        Pair<Monitor<Integer>, TestSource<Integer>> aborted = monitored(false);
        runtime.close();
        assertThat(aborted.first().state()).isEqualTo(Monitor.State.CANCELLED);
    }

    @Test
    @Operator("monitor")
    void countAndElementSeenFromAnotherThreadGoTogether() throws Exception {
        try (StreamRuntime threads = StreamRuntime.create()) {
            Pair<Monitor<Integer>, CompletionStage<Done>> run = Source.range(0, 200_000)
                    .monitor(Keep.<Object, Monitor<Integer>>right())
                    .toMat(Sink.ignore(), Keep.both())
                    .run(threads);
            Monitor<Integer> monitor = run.first();
            while (monitor.state() == Monitor.State.RUNNING) {
                long count = monitor.count();
                int last = monitor.lastElement().orElse(-1);
                assertThat((long) last).isGreaterThanOrEqualTo(count - 1);
            }
            assertThat(monitor.count()).isEqualTo(200_000);
        }
    }

    @Test
    @Operator("log")
    void elementsEndingsAndFailuresAreLoggedAtTheirLevels() {
        LoggedLines lines = new LoggedLines();
        LogSettings settings = LogSettings.defaults().withLogger(lines).withElement(Level.INFO);
        Source.of(1, 2).log("numbers", settings).runWith(Sink.ignore(), runtime);
        Source.failed(mine).log("broken", settings).runWith(Sink.ignore(), runtime);
        Source.never().log("endless", settings).runWith(Sink.cancelled(), runtime);
        Source.of(1)
                .log("quiet", settings.withElement(Level.OFF).withFinish(Level.TRACE))
                .runWith(Sink.ignore(), runtime);
        Source.failed(mine).log("warning", settings.withFailure(Level.WARNING)).runWith(Sink.ignore(), runtime);
        assertThat(lines.seen())
                .containsExactly(
                        "INFO [numbers] element: 1",
                        "INFO [numbers] element: 2",
                        "DEBUG [numbers] completed",
                        "ERROR [broken] failed mine",
                        "DEBUG [endless] cancelled",
                        "WARNING [warning] failed mine");
    }

    @Test
    @Operator("checkpoint")
    void aFailureIsReportedWithTheNextCheckpointBelow() {
        Source.of("1", "x")
                .map(Integer::parseInt)
                .checkpoint("parsed")
                .map(n -> n)
                .checkpoint("stored")
                .named("orders")
                .runWith(Sink.ignore(), runtime);
        Source.single(1)
                .checkpoint("taken")
                .map(n -> {
                    throw mine;
                })
                .checkpoint("stored")
                .runWith(Sink.ignore(), runtime);
        assertThat(reports).hasSize(2);
        assertThat(reports.get(0)).hasMessageContaining("orders/map (before checkpoint parsed)");
        assertThat(reports.get(1)).hasMessageContaining("map (before checkpoint stored)");
    }

    @Test
    @Operator("named")
    void theNameStandsInTheReportOfAFailure() {
        Source.single(1)
                .map(n -> {
                    throw mine;
                })
                .named("inner")
                .named("outer")
                .runWith(Sink.ignore(), runtime);
        assertThat(reports).singleElement().asString().contains("outer/inner/map");
    }

    @Test
    @Operator("killSwitch")
    void aSwitchCompletesDownstreamOrFailsIt() {
        Pair<UniqueKillSwitch, TestSink<Object>> shut = Source.never()
                .killSwitch(Keep.<Object, UniqueKillSwitch>right())
                .toMat(TestSink.probe(), Keep.both())
                .run(runtime);
        shut.first().shutdown();
        shut.second().expectComplete();
        Pair<UniqueKillSwitch, TestSink<Object>> aborted = Source.never()
                .killSwitch(Keep.<Object, UniqueKillSwitch>right())
                .toMat(TestSink.probe(), Keep.both())
                .run(runtime);
        aborted.first().abort(mine);
        assertThat(aborted.second().expectError()).isSameAs(mine);
    }

    @Test
    @Operator("watchTermination")
    void theFutureTellsEndAndCause() {
        CompletionStage<Done> completed = Source.single(1)
                .watchTermination(Keep.<Object, CompletionStage<Done>>right())
                .to(Sink.ignore())
                .run(runtime);
        assertThat(completed.toCompletableFuture()).isCompletedWithValue(Done.DONE);
        CompletionStage<Done> failed = Source.failed(mine)
                .watchTermination(Keep.<Object, CompletionStage<Done>>right())
                .to(Sink.ignore())
                .run(runtime);
        assertThat(failed.toCompletableFuture()).isCompletedExceptionally();
        CompletionStage<Done> cancelled = Source.never()
                .watchTermination(Keep.<Object, CompletionStage<Done>>right())
                .to(Sink.cancelled())
                .run(runtime);
        assertThat(cancelled.toCompletableFuture()).isCompletedWithValue(Done.DONE);
    }

    @Test
    @Operator("log")
    void whatIsOffIsNotWrittenByTheLoggerOfTheJdkEither() {
        java.util.logging.Logger written =
                java.util.logging.Logger.getLogger("off." + getClass().getName());
        List<String> seen = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                seen.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        written.setUseParentHandlers(false);
        written.addHandler(handler);
        try {
            LogSettings settings = LogSettings.defaults()
                    .withLogger(System.getLogger(written.getName()))
                    .withElement(Level.OFF)
                    .withFinish(Level.OFF)
                    .withFailure(Level.OFF);
            Source.of(1, 2).log("numbers", settings).runWith(Sink.ignore(), runtime);
            Source.failed(mine).log("broken", settings).runWith(Sink.ignore(), runtime);
            Source.never().log("endless", settings).runWith(Sink.cancelled(), runtime);
            Source.of(1).log("heard", settings.withElement(Level.INFO)).runWith(Sink.ignore(), runtime);
        } finally {
            written.removeHandler(handler);
        }
        assertThat(seen).containsExactly("[heard] element: 1");
    }
}
