package io.millrace.streams.operator.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.streams.Keep;
import io.millrace.streams.KillSwitches;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.RetrySettings;
import io.millrace.streams.operator.VirtualTimeTest;
import io.millrace.testkit.Behaviour;
import io.millrace.testkit.TestSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** When functions hear that a source has ended which a stage runs. */
class RelayedFailureTest extends VirtualTimeTest {
    private final IllegalStateException lost = new IllegalStateException("lost");
    private final List<Object> seen = new ArrayList<>();

    private boolean hear() {
        seen.add("end");
        return false;
    }

    private static Source<Integer, ?> staged(Source<Integer, ?> source) {
        return source.viaMat(KillSwitches.single(), Keep.left());
    }

    /** Each runs the source inside a stage and then calls a function. */
    private Map<String, Function<Source<Integer, NotUsed>, Source<Integer, ?>>> functions() {
        RetrySettings retries = RetrySettings.times(2);
        RestartSettings restarts =
                RestartSettings.of(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(1)));
        Map<String, Function<Source<Integer, NotUsed>, Source<Integer, ?>>> all = new LinkedHashMap<>();
        all.put(
                "recoverWithRetries",
                source -> Source.<Integer>failed(new IllegalArgumentException())
                        .recoverWithRetries(2, failure -> failure == lost && !hear() ? Source.empty() : source));
        all.put("retry", source -> {
            int[] runs = {0};
            return Source.lazy(() -> runs[0]++ == 0 ? Source.<Integer>failed(new IllegalArgumentException()) : source)
                    .retry(retries.withRetryOn(failure -> failure != lost || hear()));
        });
        all.put("restarting", source -> Source.restarting(restarts.withRestartOn(failure -> hear()), () -> source));
        all.put(
                "usingWhen",
                source -> Source.usingWhen(
                        () -> CompletableFuture.completedFuture(1), resource -> source, (resource, outcome) -> {
                            hear();
                            return CompletableFuture.completedFuture(1);
                        }));
        return all;
    }

    private Map<String, UnaryOperator<Source<Integer, ?>>> below() {
        Map<String, UnaryOperator<Source<Integer, ?>>> all = new LinkedHashMap<>();
        all.put("nothing", source -> source);
        all.put("a stage", RelayedFailureTest::staged);
        all.put("a buffer", source -> source.buffer(4, OverflowStrategy.BACKPRESSURE));
        all.put("a boundary", source -> source.async());
        all.put("a long way in a turn that gets long", source -> {
            Source<Integer, ?> far = source.map(RelayedFailureTest::late);
            for (int stages = 0; stages < 300; stages++) {
                far = staged(far);
            }
            return far;
        });
        return all;
    }

    private static Integer late(Integer element) {
        while (!StageContext.active().isTurnLong()) {
            Thread.onSpinWait();
        }
        return element;
    }

    @Test
    @Behaviour("INT-10")
    void whatWasEmittedArrivesBeforeAFunctionHearsOfTheEnd() {
        List<String> wrong = new ArrayList<>();
        functions()
                .forEach((name, function) -> below().forEach((way, stages) -> {
                    Source<Integer, NotUsed> failing = Source.of(7).concat(Source.failed(lost));
                    stages.apply(function.apply(failing)).runWith(Sink.foreach(seen::add), runtime);
                    if (!seen.equals(List.of(7, "end"))) {
                        wrong.add(name + ", then " + way + ": " + seen);
                    }
                    seen.clear();
                }));
        assertThat(wrong).isEmpty();
    }

    @Test
    void demandThatComesBeforeTheEndIsToldIsServedByTheNextSource() {
        int[] runs = {0};
        TestSink<Integer> sink = staged(Source.lazy(() -> Source.of(++runs[0]).concat(Source.<Integer>failed(lost)))
                        .retry(RetrySettings.times(2)))
                .runWith(TestSink.probe(), runtime);
        sink.request(1).expectNext(1).expectNothing(Duration.ZERO);
        sink.request(9).expectNext(2, 3);
        assertThat(sink.expectError()).isSameAs(lost);
    }

    @Test
    void whoCancelsWithTheLastElementLeavesNobodyToBeToldOfTheFailure() {
        functions().forEach((name, function) -> {
            Source<Integer, NotUsed> failing = Source.of(7).concat(Source.failed(lost));
            staged(function.apply(failing)).take(1).runWith(Sink.foreach(seen::add), runtime);
            assertThat(seen).as(name).startsWith(7).hasSize(name.equals("usingWhen") ? 2 : 1);
            seen.clear();
        });
    }
}
