package io.millrace.benchmarks.everyday;

import static io.millrace.benchmarks.everyday.Programs.CONCURRENT;
import static io.millrace.benchmarks.everyday.Programs.FEW;
import static io.millrace.benchmarks.everyday.Programs.KEYS;
import static io.millrace.benchmarks.everyday.Programs.MANY;
import static io.millrace.benchmarks.everyday.Programs.PAIRS;
import static io.millrace.benchmarks.everyday.Programs.SOME;

import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.NotUsed;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** The programs as they are written with this library. */
final class MillracePrograms {
    private MillracePrograms() {}

    /** Builds its stream each time. */
    static Program fresh(String name, StreamRuntime runtime) {
        return switch (name) {
            case "publish-1-10k" -> () -> published(1, runtime);
            case "publish-10-10k" -> () -> published(10, runtime);
            default -> () -> await(graph(name).run(runtime));
        };
    }

    /** Builds its stream once; what is shared by consumers is built each time all the same. */
    static Program blueprint(String name, StreamRuntime runtime) {
        if (name.startsWith("publish")) {
            return fresh(name, runtime);
        }
        RunnableGraph<CompletionStage<Long>> graph = graph(name);
        return () -> await(graph.run(runtime));
    }

    private static long await(CompletionStage<Long> result) {
        return result.toCompletableFuture().join();
    }

    private static RunnableGraph<CompletionStage<Long>> graph(String name) {
        return switch (name) {
            case "map-100k" -> summed(Source.range(0, MANY).map(x -> x + 1));
            case "mapConcat-100k" -> summed(Source.range(0, MANY).mapConcat(x -> List.of(x, x + 1)));
            case "grouped-100k" -> summed(Source.range(0, MANY).grouped(8).map(List::size));
            case "mixed-100k" ->
                summed(Source.range(0, MANY)
                        .map(x -> "n" + x)
                        .filter(text -> !text.endsWith("7"))
                        .mapConcat(text -> List.of(text, text))
                        .grouped(8)
                        .map(List::size));
            case "pairs-100k" -> summed(pairs(Source.range(0, MANY)));
            case "capturing-100k" -> summed(capturing(name.length()));
            case "list-1", "list-10", "list-100", "list-1000" -> list(Programs.size(name));
            case "maps-5", "maps-100", "maps-1000" -> maps(Programs.size(name));
            case "fold-1000" -> summed(Source.range(0, FEW));
            case "first-of-100k" -> Source.range(0, MANY).map(x -> (long) x + 1).toMat(Sink.head(), Keep.right());
            case "concat-1000" -> summed(Source.range(0, FEW).concat(Source.range(0, FEW)));
            case "zip-10k" -> summed(Source.range(0, SOME).zipWith(Source.range(0, SOME), Integer::sum));
            case "merge-10k" -> summed(Source.range(0, SOME).merge(Source.range(0, SOME)));
            case "flatMapConcat-1000" -> summed(Source.range(0, FEW).flatMapConcat(x -> Source.range(x, x + 2)));
            case "flatMapMerge-1000" ->
                summed(Source.range(0, FEW).flatMapMerge(CONCURRENT, x -> Source.range(x, x + 2)));
            case "groupBy-10k" ->
                summed(Source.range(0, SOME).groupBy(KEYS, x -> x % KEYS).mergeSubstreams());
            case "mapAsync-done-1000" ->
                summed(Source.range(0, FEW).mapAsync(CONCURRENT, CompletableFuture::completedFuture));
            case "mapAsync-pending-100" -> summed(Source.range(0, 100).mapAsync(CONCURRENT, Programs::later));
            default -> throw new IllegalArgumentException("no program " + name);
        };
    }

    private static RunnableGraph<CompletionStage<Long>> summed(Source<Integer, NotUsed> source) {
        return source.toMat(Sink.fold(0L, (sum, x) -> sum + x), Keep.right());
    }

    private static Source<Integer, NotUsed> pairs(Source<Integer, NotUsed> source) {
        Source<Integer, NotUsed> longer = source;
        for (int i = 0; i < PAIRS; i++) {
            longer = longer.map(x -> x + 1).filter(x -> x > 0);
        }
        return longer;
    }

    private static Source<Integer, NotUsed> capturing(int offset) {
        return Source.range(0, MANY).map(x -> x + offset).filter(x -> x % offset != 0);
    }

    private static RunnableGraph<CompletionStage<Long>> list(int size) {
        return Source.range(0, size)
                .map(x -> x + 1)
                .filter(x -> x % 2 == 0)
                .toMat(Sink.seq(), (left, list) -> list.thenApply(all -> (long) all.size()));
    }

    private static RunnableGraph<CompletionStage<Long>> maps(int count) {
        Source<Integer, NotUsed> source = Source.single(1);
        for (int i = 0; i < count; i++) {
            source = source.map(x -> x + 1);
        }
        return source.map(x -> (long) x).toMat(Sink.head(), Keep.right());
    }

    private static long published(int consumers, StreamRuntime runtime) {
        Source<Integer, NotUsed> shared = Source.range(0, SOME).publish(runtime).autoConnect(consumers);
        List<CompletableFuture<Long>> sums = Stream.generate(
                        () -> summed(shared).run(runtime).toCompletableFuture())
                .limit(consumers)
                .toList();
        return sums.stream().mapToLong(CompletableFuture::join).sum();
    }
}
