package io.millrace.streams.reactive;

import io.millrace.streams.Flow;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.LogSettings;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RetrySettings;
import io.millrace.streams.graph.ThrottleMode;
import io.millrace.testkit.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The TCK over the operators of docs/operators that can let everything through, or make or take any elements. */
@Behaviour("INT-9")
@EnabledIfSystemProperty(named = "millrace.deep", matches = "true")
@Timeout(1200)
final class OperatorsTckTest extends TckTest {
    private static final int SHORT = 1000;
    private static final Duration LONG = Duration.ofHours(1);
    private static final Flow<Integer, Integer, ?> IDENTITY = Flow.<Integer>create();

    @TestFactory
    Stream<DynamicTest> identitiesOnElementsPass() {
        Map<String, Flow<Integer, Integer, ?>> flows = new TreeMap<>();
        flows.put("filterNot", IDENTITY.filterNot(x -> false));
        flows.put("collectType", IDENTITY.collectType(Integer.class));
        flows.put("takeThrough", IDENTITY.takeThrough(x -> true));
        flows.put("takeUntil", IDENTITY.takeUntil((Integer x) -> false));
        flows.put("takeUntil signal", IDENTITY.takeUntil(Source.never()));
        flows.put("skipUntil", IDENTITY.skipUntil(Source.empty()));
        flows.put("dropWhile", IDENTITY.dropWhile(x -> false));
        flows.put("limit", IDENTITY.limit(Long.MAX_VALUE));
        flows.put("limitWeighted", IDENTITY.limitWeighted(Long.MAX_VALUE, x -> 1));
        flows.put("statefulMap", IDENTITY.statefulMap(() -> 0, (s, x) -> new Pair<>(s, x), s -> Optional.empty()));
        flows.put("mapWithResource", IDENTITY.mapWithResource(() -> 0, (r, x) -> x, r -> Optional.empty()));
        flows.put("zipWithIndex", IDENTITY.zipWithIndex().map(Pair::first));
        flows.put("timestamp", IDENTITY.timestamp().map(stamped -> stamped.element()));
        flows.put("grouped", IDENTITY.grouped(1).mapConcat(list -> list));
        flows.put("sliding", IDENTITY.sliding(1, 1).mapConcat(list -> list));
        flows.put("groupedWeighted", IDENTITY.groupedWeighted(1, x -> 1).mapConcat(list -> list));
        flows.put(
                "aggregateWithBoundary",
                IDENTITY.aggregateWithBoundary(() -> 0, (a, x) -> new Pair<>(x, true), a -> a));
        return identities(flows);
    }

    @TestFactory
    Stream<DynamicTest> identitiesInTimePass() {
        Map<String, Flow<Integer, Integer, ?>> flows = new TreeMap<>();
        flows.put("batch", IDENTITY.batch(1, x -> x, (sum, x) -> x));
        flows.put("delay", IDENTITY.delay(Duration.ofNanos(1), 16, OverflowStrategy.BACKPRESSURE));
        flows.put("throttle", IDENTITY.throttle(1_000_000, Duration.ofMillis(1), 1_000_000, ThrottleMode.SHAPING));
        flows.put("initialDelay", IDENTITY.initialDelay(Duration.ofNanos(1)));
        flows.put("takeWithin", IDENTITY.takeWithin(LONG));
        flows.put("keepAlive", IDENTITY.keepAlive(LONG, () -> 0));
        flows.put("groupedWithin", IDENTITY.groupedWithin(1, LONG).mapConcat(list -> list));
        flows.put("timeout", IDENTITY.timeout(LONG));
        flows.put("timeout with fallback", IDENTITY.timeout(LONG, Source.empty()));
        flows.put("initialTimeout", IDENTITY.initialTimeout(LONG));
        flows.put("idleTimeout", IDENTITY.idleTimeout(LONG));
        flows.put("completionTimeout", IDENTITY.completionTimeout(LONG));
        flows.put("backpressureTimeout", IDENTITY.backpressureTimeout(LONG));
        flows.put("mapAsyncPartitioned", IDENTITY.mapAsyncPartitioned(1, x -> x, CompletableFuture::completedFuture));
        return identities(flows);
    }

    @TestFactory
    Stream<DynamicTest> identitiesOfSeveralStreamsPass() {
        Map<String, Flow<Integer, Integer, ?>> flows = new TreeMap<>();
        flows.put("prepend", IDENTITY.prepend(Source.empty()));
        flows.put("orElse", IDENTITY.orElse(Source.empty()));
        flows.put("concatLazy", IDENTITY.concatLazy(Source.empty()));
        flows.put("concatDelayError", IDENTITY.concatDelayError(Source.empty()));
        flows.put("mergeDelayError", IDENTITY.mergeDelayError(Source.empty()));
        flows.put("mergePreferred", IDENTITY.mergePreferred(Source.empty(), false));
        flows.put("interleave", IDENTITY.interleave(Source.empty(), 1, false));
        flows.put("firstOf", IDENTITY.firstOf(Source.empty()));
        flows.put("wireTap", IDENTITY.wireTap(Sink.ignore()));
        flows.put("alsoToAll", IDENTITY.alsoToAll(List.of(Sink.ignore(), Sink.ignore())));
        flows.put("parallel", IDENTITY.parallel(1, Flow.<Integer>create()));
        flows.put("flatMapConcat", IDENTITY.flatMapConcat(Source::single));
        flows.put(
                "flatMapConcat, run",
                IDENTITY.flatMapConcat(x -> Source.single(x).async()));
        flows.put("flatMapMerge", IDENTITY.flatMapMerge(1, Source::single));
        flows.put("groupBy", IDENTITY.groupBy(1, x -> 0).mergeSubstreams());
        flows.put("splitWhen", IDENTITY.splitWhen(x -> false).concatSubstreams());
        flows.put("prefixAndTail", IDENTITY.prefixAndTail(0).flatMapConcat(Pair::second));
        flows.put("switchOnFirst", IDENTITY.switchOnFirst(first -> Flow.<Integer>create()));
        flows.put("lazy", IDENTITY.via(Flow.lazy(Flow::<Integer>create)));
        flows.put(
                "fromCompletionStage",
                IDENTITY.via(Flow.fromCompletionStage(CompletableFuture.completedFuture(Flow.<Integer>create()))));
        return identities(flows);
    }

    @TestFactory
    Stream<DynamicTest> identitiesOfFailuresAndControlPass() {
        Map<String, Flow<Integer, Integer, ?>> flows = new TreeMap<>();
        flows.put("mapError", IDENTITY.mapError(failure -> failure));
        flows.put("log", IDENTITY.log("tck", LogSettings.defaults()));
        flows.put("checkpoint", IDENTITY.checkpoint("here"));
        flows.put("monitor", IDENTITY.monitor((left, monitor) -> monitor));
        return identities(flows);
    }

    private Stream<DynamicTest> identities(Map<String, Flow<Integer, Integer, ?>> flows) {
        List<DynamicTest> tests = new ArrayList<>();
        flows.forEach((name, flow) -> tests.addAll(Tck.tests(
                        name,
                        () -> new Tck.Publishing(source -> source.via(flow).toPublisher(runtime)))
                .toList()));
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> sourcesPass() {
        Map<String, Function<Long, Source<Integer, ?>>> sources = new TreeMap<>();
        sources.put(
                "cycle",
                n -> n == 0
                        ? Source.<Integer>empty()
                        : Source.cycle(() -> List.of(1).iterator()).take(n));
        sources.put("fromStream", n -> Source.fromStream(() -> Collections.nCopies(n.intValue(), 1).stream()));
        sources.put(
                "unfoldAsync",
                n -> Source.unfoldAsync(
                        0L,
                        at -> CompletableFuture.completedFuture(
                                at < n ? Optional.of(new Pair<>(at + 1, 1)) : Optional.empty())));
        sources.put("retry", n -> Tck.numbers(n).retry(RetrySettings.times(1)));
        sources.put("zipWithN", n -> Source.zipWithN(List.of(Tck.numbers(n), Source.repeat(1)), list -> list.get(0)));
        sources.put("mergeAll", n -> Source.mergeAll(List.of(Tck.numbers(n / 2), Tck.numbers(n - n / 2))));
        List<DynamicTest> tests = new ArrayList<>();
        sources.forEach((name, source) ->
                tests.addAll(Tck.tests(name, () -> new Tck.Publishing(made -> made.toPublisher(runtime), source, SHORT))
                        .toList()));
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> sinksPass() {
        Map<String, Supplier<Sink<Integer, ?>>> sinks = new TreeMap<>();
        sinks.put("count", Sink::count);
        sinks.put("lastOption", Sink::lastOption);
        sinks.put("takeLast", () -> Sink.takeLast(3));
        sinks.put("forall", () -> Sink.forall(x -> true));
        sinks.put("foreachAsync", () -> Sink.foreachAsync(1, CompletableFuture::completedFuture));
        sinks.put("lazy", () -> Sink.lazy(Sink::ignore));
        sinks.put(
                "fromCompletionStage",
                () -> Sink.fromCompletionStage(CompletableFuture.completedFuture(Sink.<Integer>ignore())));
        List<DynamicTest> tests = new ArrayList<>();
        sinks.forEach((name, sink) ->
                tests.addAll(Tck.tests(name, () -> new Tck.Subscribing(into -> Tck.subscriberInto(into, runtime), sink))
                        .toList()));
        return tests.stream();
    }
}
