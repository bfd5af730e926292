package io.millrace.benchmarks.operators;

import static io.millrace.benchmarks.operators.OperatorsBenchmark.ELEMENTS;
import static io.millrace.benchmarks.operators.OperatorsBenchmark.INPUT;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Each operator as it is written with RxJava. */
final class RxJavaOperators {
    private RxJavaOperators() {}

    static Single<Integer> summed(String operator) {
        return through(operator).reduce(0, Integer::sum);
    }

    private static Flowable<Integer> through(String operator) {
        Flowable<Integer> source = Flowable.fromIterable(INPUT);
        return switch (operator) {
            case "map" -> source.map(x -> x + 1);
            case "filter" -> source.filter(x -> (x & 1) == 0);
            case "mapConcat" -> source.concatMapIterable(x -> List.of(x, x + 1));
            case "take" -> source.take(ELEMENTS - 1);
            case "drop" -> source.skip(1);
            case "takeWhile" -> source.takeWhile(x -> x < ELEMENTS - 1);
            case "dropWhile" -> source.skipWhile(x -> x < 2);
            case "scan" -> source.scan(0, (sum, x) -> (sum + x) & 0xFF);
            case "fold" -> source.reduce(0, (sum, x) -> sum ^ x).toFlowable();
            case "reduce" -> source.reduce((sum, x) -> sum ^ x).toFlowable();
            case "grouped" -> source.buffer(10).map(List::size);
            case "sliding" ->
                source.buffer(3, 1).filter(window -> window.size() == 3).map(window -> window.get(0));
            case "dropRepeated" -> source.map(x -> x >> 2).distinctUntilChanged();
            case "zipWithIndex" -> source.zipWith(Flowable.range(0, ELEMENTS), (x, index) -> x + index);
            case "concat" -> source.concatWith(Flowable.fromIterable(INPUT));
            case "merge" -> source.mergeWith(Flowable.fromIterable(INPUT));
            case "zip" -> source.zipWith(Flowable.fromIterable(INPUT), Integer::sum);
            case "flatMapConcat" -> source.concatMap(x -> Flowable.fromIterable(List.of(x, x + 1)));
            case "flatMapMerge" -> source.flatMap(x -> Flowable.fromIterable(List.of(x, x + 1)), 8);
            case "groupBy" -> source.groupBy(x -> x & 15).flatMap(group -> group, 16);
            case "mapAsync" ->
                source.concatMapEager(x -> Flowable.fromCompletionStage(CompletableFuture.completedFuture(x)), 4, 1);
            case "recover" -> source.onErrorReturn(failure -> 0);
            default -> throw new IllegalArgumentException("no operator " + operator);
        };
    }
}
