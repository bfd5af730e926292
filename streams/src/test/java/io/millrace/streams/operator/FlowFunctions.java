package io.millrace.streams.operator;

import io.millrace.streams.Flow;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RetrySettings;
import io.millrace.streams.graph.ThrottleMode;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/** Every function that a user gives to an operator with an inlet and an outlet. */
final class FlowFunctions {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private FlowFunctions() {}

    static void addTo(UserFunction.Table table) {
        elements(table);
        groups(table);
        rates(table);
        failures(table);
        futures(table);
        junctions(table);
        substreams(table);
        contexts(table);
    }

    private static Source<Integer, ?> numbers() {
        return Source.of(1, 2, 3);
    }

    private static void elements(UserFunction.Table table) {
        table.object("map", "function", t -> numbers().map(n -> t.now()))
                .other("filter", "condition", t -> numbers().filter(n -> t.test()))
                .other("filter", "condition of filterNot", t -> numbers().filterNot(n -> t.test()))
                .object("mapConcat", "function", t -> numbers().<Integer>mapConcat(n -> t.now()))
                .object("mapConcat", "iterator()", t -> numbers().<Integer>mapConcat(n -> () -> t.now()))
                .object("mapConcat", "next()", t -> numbers().mapConcat(n -> () -> SourceFunctions.elements(t)))
                .other("mapConcat", "hasNext()", t -> numbers().mapConcat(n -> () -> SourceFunctions.noElements(t)))
                .other("doOnNext", "consumer", t -> numbers().doOnNext(n -> t.test()))
                .other("doOnComplete", "action", t -> numbers().doOnComplete(() -> t.test()))
                .other("takeWhile", "condition", t -> numbers().takeWhile(n -> t.test()))
                .other("takeWhile", "condition of takeThrough", t -> numbers().takeThrough(n -> t.test()))
                .other("dropWhile", "condition", t -> numbers().dropWhile(n -> t.test()))
                .object(
                        "statefulMap",
                        "function",
                        t -> numbers().<Integer, Integer>statefulMap(() -> 1, (s, n) -> t.now(), s -> Optional.empty()))
                .object(
                        "statefulMap",
                        "element",
                        t -> numbers()
                                .<Integer, Integer>statefulMap(
                                        () -> 1, (s, n) -> new Pair<>(1, t.now()), s -> Optional.empty()))
                .object(
                        "statefulMap",
                        "atEnd",
                        t -> numbers().<Integer, Integer>statefulMap(() -> 1, (s, n) -> new Pair<>(s, n), s -> t.now()))
                .object("scan", "function", t -> numbers().<Integer>scan(0, (sum, n) -> t.now()))
                .object("fold", "function", t -> numbers().<Integer>fold(0, (sum, n) -> t.now()))
                .object("reduce", "function", t -> numbers().reduce((sum, n) -> t.now()))
                .object(
                        "mapWithResource",
                        "create",
                        t -> numbers()
                                .<Integer, Integer>mapWithResource(() -> t.now(), (r, n) -> n, r -> Optional.empty()))
                .object(
                        "mapWithResource",
                        "function",
                        t -> numbers()
                                .<Integer, Integer>mapWithResource(() -> 1, (r, n) -> t.now(), r -> Optional.empty()))
                .object(
                        "mapWithResource",
                        "close",
                        t -> numbers().<Integer, Integer>mapWithResource(() -> 1, (r, n) -> n, r -> t.now()))
                .other("limitWeighted", "cost", t -> numbers().limitWeighted(9, n -> t.test() ? 1 : 0))
                .object("distinct", "key", t -> numbers().distinct(n -> t.now()))
                .object("dropRepeated", "same", t -> numbers().dropRepeated((a, b) -> t.now()))
                .object("dematerialize", "signal", t -> numbers().<Integer>dematerialize(n -> t.now()));
    }

    private static void groups(UserFunction.Table table) {
        table.other("groupedWeighted", "weight", t -> numbers().groupedWeighted(9, n -> t.test() ? 1 : 0))
                .other(
                        "groupedWeightedWithin",
                        "weight",
                        t -> numbers().groupedWeightedWithin(9, SECOND, n -> t.test() ? 1 : 0))
                .object(
                        "aggregateWithBoundary",
                        "allocate",
                        t -> numbers()
                                .<Integer, Integer>aggregateWithBoundary(
                                        () -> t.now(), (a, n) -> new Pair<>(a, false), a -> a))
                .object(
                        "aggregateWithBoundary",
                        "aggregate",
                        t -> numbers().<Integer, Integer>aggregateWithBoundary(() -> 1, (a, n) -> t.now(), a -> a))
                .object(
                        "aggregateWithBoundary",
                        "new aggregate",
                        t -> numbers()
                                .<Integer, Integer>aggregateWithBoundary(
                                        () -> 1, (a, n) -> new Pair<>(t.now(), false), a -> a))
                .object(
                        "aggregateWithBoundary",
                        "whether it is done",
                        t -> numbers()
                                .<Integer, Integer>aggregateWithBoundary(
                                        () -> 1, (a, n) -> new Pair<>(1, t.now()), a -> a))
                .object(
                        "aggregateWithBoundary",
                        "harvest",
                        t -> numbers()
                                .<Integer, Integer>aggregateWithBoundary(
                                        () -> 1, (a, n) -> new Pair<>(a, true), a -> t.now()));
    }

    private static void rates(UserFunction.Table table) {
        table.object("batch", "seed", t -> numbers().<Integer>batch(9, n -> t.now(), (a, n) -> a))
                .object(
                        "batch",
                        "aggregate",
                        t -> numbers()
                                .<Integer>batch(9, n -> n, (a, n) -> t.now())
                                .initialDelay(Duration.ofDays(1)))
                .other(
                        "batchWeighted",
                        "cost",
                        t -> numbers().<Integer>batchWeighted(9, n -> t.test() ? 1 : 0, n -> n, (a, n) -> a))
                .object("expand", "function", t -> numbers().<Integer>expand(n -> t.now()))
                .object(
                        "expand",
                        "next()",
                        t -> numbers()
                                .expand(n ->
                                        Stream.generate(() -> t.<Integer>now()).iterator()))
                .object("extrapolate", "function", t -> numbers().extrapolate(n -> t.now()))
                .other(
                        "throttle",
                        "cost",
                        t -> numbers().throttle(9, SECOND, 9, n -> t.test() ? 1 : 0, ThrottleMode.SHAPING))
                .object("delayWith", "delay", t -> numbers().delayWith(n -> t.now(), 4, OverflowStrategy.BACKPRESSURE))
                .object(
                        "keepAlive",
                        "injected",
                        t -> Source.<Integer>never().keepAlive(Duration.ofNanos(1), () -> t.now()));
    }

    private static void failures(UserFunction.Table table) {
        RuntimeException other = new IllegalStateException("another failure");
        table.object("recover", "function", t -> Source.<Integer>failed(other).recover(e -> t.now()))
                .object(
                        "recover",
                        "function for a class",
                        t -> Source.<Integer>failed(other).recover(IllegalStateException.class, e -> t.now()))
                .other("doOnError", "consumer", t -> Source.failed(other).doOnError(e -> t.test()))
                .object(
                        "retrying",
                        "again",
                        t -> numbers()
                                .via(Flow.<Integer, Integer, NotUsed>retrying(
                                        1,
                                        io.millrace.streams.graph.Backoff.NONE,
                                        Flow.<Integer>create(),
                                        (n, made) -> t.now())))
                .object(
                        "mapError",
                        "function",
                        t -> Source.<Integer>failed(other).mapError(e -> t.now()))
                .object(
                        "recoverWith",
                        "function",
                        t -> Source.<Integer>failed(other).recoverWith(e -> t.now()))
                .object(
                        "recoverWithRetries",
                        "function",
                        t -> Source.<Integer>failed(other).recoverWithRetries(3, e -> t.now()))
                .other("onErrorComplete", "condition", t -> Source.failed(other).onErrorComplete(e -> t.test()))
                .other(
                        "retry",
                        "retryOn",
                        t -> Source.failed(other)
                                .retry(new RetrySettings(1, io.millrace.streams.graph.Backoff.NONE, e -> t.test())));
    }

    private static void futures(UserFunction.Table table) {
        table.object("mapAsync", "function", t -> numbers().<Integer>mapAsync(2, n -> t.now()))
                .object("mapAsync", "future", t -> numbers().<Integer>mapAsync(2, n -> t.future()))
                .object("mapAsyncUnordered", "function", t -> numbers().<Integer>mapAsyncUnordered(2, n -> t.now()))
                .object("mapAsyncUnordered", "future", t -> numbers().<Integer>mapAsyncUnordered(2, n -> t.future()))
                .object(
                        "mapAsyncPartitioned",
                        "key",
                        t -> numbers()
                                .<Integer, Integer>mapAsyncPartitioned(
                                        2, n -> t.now(), CompletableFuture::completedFuture))
                .object(
                        "mapAsyncPartitioned",
                        "function",
                        t -> numbers().<Integer, Integer>mapAsyncPartitioned(2, n -> n, n -> t.now()))
                .object(
                        "mapAsyncPartitioned",
                        "future",
                        t -> numbers().<Integer, Integer>mapAsyncPartitioned(2, n -> n, n -> t.future()))
                .object(
                        "statefulMapAsync",
                        "function",
                        t -> numbers()
                                .<Integer, Integer>statefulMapAsync(() -> 1, (s, n) -> t.now(), s -> Optional.empty()))
                .object(
                        "statefulMapAsync",
                        "future",
                        t -> numbers()
                                .<Integer, Integer>statefulMapAsync(
                                        () -> 1, (s, n) -> t.future(), s -> Optional.empty()))
                .object(
                        "statefulMapAsync",
                        "atEnd",
                        t -> numbers()
                                .<Integer, Integer>statefulMapAsync(
                                        () -> 1,
                                        (s, n) -> CompletableFuture.completedFuture(new Pair<>(s, n)),
                                        s -> t.now()))
                .object("scanAsync", "function", t -> numbers().<Integer>scanAsync(0, (s, n) -> t.now()))
                .object("scanAsync", "future", t -> numbers().<Integer>scanAsync(0, (s, n) -> t.future()))
                .object("foldAsync", "function", t -> numbers().<Integer>foldAsync(0, (s, n) -> t.now()))
                .object("foldAsync", "future", t -> numbers().<Integer>foldAsync(0, (s, n) -> t.future()));
    }

    private static void junctions(UserFunction.Table table) {
        table.object("zipWith", "function", t -> numbers().<Integer, Integer>zipWith(numbers(), (a, b) -> t.now()))
                .other("partition", "condition of divertTo", t -> numbers().divertTo(Sink.ignore(), n -> t.test()))
                .other(
                        "mergeSorted",
                        "comparator",
                        t -> numbers().mergeSorted(numbers(), (a, b) -> t.test() ? a - b : 0))
                .object("mergeSequence", "number", t -> numbers().mergeSequence(numbers(), n -> t.now()))
                .object(
                        "zipLatestWith",
                        "function",
                        t -> numbers().<Integer, Integer>zipLatestWith(numbers(), (a, b) -> t.now()))
                .object(
                        "withLatestFrom",
                        "function",
                        t -> Source.repeat(1).<Integer, Integer>withLatestFrom(numbers(), (a, b) -> t.now()))
                .object(
                        "map",
                        "rail",
                        t -> numbers().balance(2, io.millrace.streams.Flow.<Integer, Integer>of(n -> t.now())));
    }

    private static void substreams(UserFunction.Table table) {
        flattening(table, "flatMapConcat", f -> Source.of(1).<Integer>flatMapConcat(f::apply));
        flattening(table, "flatMapMerge", f -> Source.of(1).<Integer>flatMapMerge(1, f::apply));
        flattening(table, "switchMap", f -> Source.of(1).<Integer>switchMap(f::apply));
        flattening(table, "expandRecursively", f -> Source.of(1).expandRecursively(f::apply));
        table.object("groupBy", "key", t -> numbers().groupBy(4, n -> t.now()).mergeSubstreams())
                .other(
                        "splitWhen",
                        "condition",
                        t -> numbers().splitWhen(n -> t.test()).concatSubstreams())
                .other(
                        "splitAfter",
                        "condition",
                        t -> numbers().splitAfter(n -> t.test()).concatSubstreams())
                .object("switchOnFirst", "function", t -> numbers().<Integer>switchOnFirst(n -> t.now()));
    }

    private static void flattening(
            UserFunction.Table table,
            String operator,
            Function<Function<Integer, Source<Integer, ?>>, Source<?, ?>> by) {
        table.object(operator, "function", t -> by.apply(n -> t.now()))
                .object(
                        operator,
                        "next() of a loop",
                        t -> by.apply(n -> Source.from(() -> SourceFunctions.elements(t))))
                .object(operator, "iterator() of a loop", t -> by.apply(n -> Source.from(() -> t.now())))
                .object(
                        "map",
                        "inside " + operator,
                        t -> by.apply(n -> numbers().map(m -> t.now())))
                .other(
                        "statefulMap",
                        "initial inside " + operator,
                        t -> by.apply(n -> numbers()
                                .<Integer, Integer>statefulMap(
                                        () -> t.test() ? 1 : 0, (s, m) -> new Pair<>(s, m), s -> Optional.empty())))
                .other(
                        "statefulMapAsync",
                        "initial inside " + operator,
                        t -> by.apply(n -> numbers()
                                .<Integer, Integer>statefulMapAsync(
                                        () -> t.test() ? 1 : 0,
                                        (s, m) -> CompletableFuture.completedFuture(new Pair<>(s, m)),
                                        s -> Optional.empty())));
    }

    private static void contexts(UserFunction.Table table) {
        table.object(
                        "map",
                        "context",
                        t -> numbers().asSourceWithContext(n -> t.now()).asSource())
                .object(
                        "map",
                        "map with context",
                        t -> numbers()
                                .asSourceWithContext(n -> n)
                                .map(n -> t.now())
                                .asSource())
                .object(
                        "map",
                        "mapContext",
                        t -> numbers()
                                .asSourceWithContext(n -> n)
                                .mapContext(n -> t.now())
                                .asSource())
                .object(
                        "mapConcat",
                        "mapConcat with context",
                        t -> numbers()
                                .asSourceWithContext(n -> n)
                                .<Integer>mapConcat(n -> t.now())
                                .asSource())
                .object(
                        "mapConcat",
                        "element with context",
                        t -> numbers()
                                .asSourceWithContext(n -> n)
                                .mapConcat(n -> iterable(SourceFunctions.elements(t)))
                                .asSource())
                .object(
                        "mapAsync",
                        "mapAsync with context",
                        t -> numbers()
                                .asSourceWithContext(n -> n)
                                .<Integer>mapAsync(2, n -> t.future())
                                .asSource())
                .object(
                        "mapAsyncPartitioned",
                        "key with context",
                        t -> numbers()
                                .asSourceWithContext(n -> n)
                                .<Integer, Integer>mapAsyncPartitioned(
                                        2, n -> t.now(), CompletableFuture::completedFuture)
                                .asSource())
                .object(
                        "mapAsyncPartitioned",
                        "function with context",
                        t -> numbers()
                                .asSourceWithContext(n -> n)
                                .<Integer, Integer>mapAsyncPartitioned(2, n -> n, n -> t.now())
                                .asSource())
                .object(
                        "mapAsyncPartitioned",
                        "future with context",
                        t -> numbers()
                                .asSourceWithContext(n -> n)
                                .<Integer, Integer>mapAsyncPartitioned(2, n -> n, n -> t.future())
                                .asSource());
    }

    private static Iterable<Integer> iterable(Iterator<Integer> elements) {
        return () -> elements;
    }

    static List<Integer> none() {
        return List.of();
    }
}
