package io.millrace.benchmarks.operators;

import static io.millrace.benchmarks.operators.OperatorsBenchmark.ELEMENTS;
import static io.millrace.benchmarks.operators.OperatorsBenchmark.INPUT;

import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.NotUsed;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Each operator as it is written here. */
final class MillraceOperators {
    private MillraceOperators() {}

    static RunnableGraph<CompletionStage<Integer>> summed(String operator) {
        return through(operator).toMat(Sink.fold(0, Integer::sum), Keep.right());
    }

    private static Source<Integer, NotUsed> through(String operator) {
        Source<Integer, NotUsed> source = Source.from(INPUT);
        return switch (operator) {
            case "map" -> source.map(x -> x + 1);
            case "filter" -> source.filter(x -> (x & 1) == 0);
            case "mapConcat" -> source.mapConcat(x -> List.of(x, x + 1));
            case "take" -> source.take(ELEMENTS - 1);
            case "drop" -> source.drop(1);
            case "takeWhile" -> source.takeWhile(x -> x < ELEMENTS - 1);
            case "dropWhile" -> source.dropWhile(x -> x < 2);
            case "scan" -> source.scan(0, (sum, x) -> (sum + x) & 0xFF);
            case "fold" -> source.fold(0, (sum, x) -> sum ^ x);
            case "reduce" -> source.reduce((sum, x) -> sum ^ x);
            case "grouped" -> source.grouped(10).map(List::size);
            case "sliding" -> source.sliding(3, 1).map(window -> window.get(0));
            case "dropRepeated" -> source.map(x -> x >> 2).dropRepeated();
            case "zipWithIndex" -> source.zipWithIndex().map(pair -> pair.first() + (int) (long) pair.second());
            case "concat" -> source.concat(Source.from(INPUT));
            case "merge" -> source.merge(Source.from(INPUT));
            case "zip" -> source.zipWith(Source.from(INPUT), Integer::sum);
            case "flatMapConcat" -> source.flatMapConcat(x -> Source.of(x, x + 1));
            case "flatMapMerge" -> source.flatMapMerge(8, x -> Source.of(x, x + 1));
            case "groupBy" -> source.groupBy(16, x -> x & 15).mergeSubstreams();
            case "mapAsync" -> source.mapAsync(4, CompletableFuture::completedFuture);
            case "recover" -> source.recover(failure -> 0);
            default -> throw new IllegalArgumentException("no operator " + operator);
        };
    }
}
