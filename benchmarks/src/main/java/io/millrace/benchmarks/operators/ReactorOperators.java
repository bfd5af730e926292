package io.millrace.benchmarks.operators;

import static io.millrace.benchmarks.operators.OperatorsBenchmark.ELEMENTS;
import static io.millrace.benchmarks.operators.OperatorsBenchmark.INPUT;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Each operator as it is written with Reactor. */
final class ReactorOperators {
    private ReactorOperators() {}

    static Mono<Integer> summed(String operator) {
        return through(operator).reduce(0, Integer::sum);
    }

    private static Flux<Integer> through(String operator) {
        Flux<Integer> source = Flux.fromIterable(INPUT);
        return switch (operator) {
            case "map" -> source.map(x -> x + 1);
            case "filter" -> source.filter(x -> (x & 1) == 0);
            case "mapConcat" -> source.concatMapIterable(x -> List.of(x, x + 1));
            case "take" -> source.take(ELEMENTS - 1);
            case "drop" -> source.skip(1);
            case "takeWhile" -> source.takeWhile(x -> x < ELEMENTS - 1);
            case "dropWhile" -> source.skipWhile(x -> x < 2);
            case "scan" -> source.scan(0, (sum, x) -> (sum + x) & 0xFF);
            case "fold" -> source.reduce(0, (sum, x) -> sum ^ x).flux();
            case "reduce" -> source.reduce((sum, x) -> sum ^ x).flux();
            case "grouped" -> source.buffer(10).map(List::size);
            case "sliding" ->
                source.buffer(3, 1).filter(window -> window.size() == 3).map(window -> window.get(0));
            case "dropRepeated" -> source.map(x -> x >> 2).distinctUntilChanged();
            case "zipWithIndex" -> source.index((index, x) -> x + (int) (long) index);
            case "concat" -> source.concatWith(Flux.fromIterable(INPUT));
            case "merge" -> source.mergeWith(Flux.fromIterable(INPUT));
            case "zip" -> source.zipWith(Flux.fromIterable(INPUT), Integer::sum);
            case "flatMapConcat" -> source.concatMap(x -> Flux.fromIterable(List.of(x, x + 1)));
            case "flatMapMerge" -> source.flatMap(x -> Flux.fromIterable(List.of(x, x + 1)), 8);
            case "groupBy" -> source.groupBy(x -> x & 15).flatMap(group -> group, 16);
            case "mapAsync" ->
                source.flatMapSequential(x -> Mono.fromCompletionStage(CompletableFuture.completedFuture(x)), 4);
            case "recover" -> source.onErrorReturn(0);
            default -> throw new IllegalArgumentException("no operator " + operator);
        };
    }
}
