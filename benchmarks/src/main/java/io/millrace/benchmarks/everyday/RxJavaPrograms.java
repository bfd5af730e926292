package io.millrace.benchmarks.everyday;

import static io.millrace.benchmarks.everyday.Programs.CONCURRENT;
import static io.millrace.benchmarks.everyday.Programs.FEW;
import static io.millrace.benchmarks.everyday.Programs.KEYS;
import static io.millrace.benchmarks.everyday.Programs.MANY;
import static io.millrace.benchmarks.everyday.Programs.PAIRS;
import static io.millrace.benchmarks.everyday.Programs.SOME;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The programs as they are written with RxJava. */
final class RxJavaPrograms {
    private RxJavaPrograms() {}

    static Program named(String name) {
        return switch (name) {
            case "publish-1-10k" -> () -> published(1);
            case "publish-10-10k" -> () -> published(10);
            default -> () -> single(name).blockingGet();
        };
    }

    private static Single<Long> single(String name) {
        return switch (name) {
            case "map-100k" -> summed(Flowable.range(0, MANY).map(x -> x + 1));
            case "mapConcat-100k" -> summed(Flowable.range(0, MANY).concatMapIterable(x -> List.of(x, x + 1)));
            case "grouped-100k" -> summed(Flowable.range(0, MANY).buffer(8).map(List::size));
            case "mixed-100k" ->
                summed(Flowable.range(0, MANY)
                        .map(x -> "n" + x)
                        .filter(text -> !text.endsWith("7"))
                        .concatMapIterable(text -> List.of(text, text))
                        .buffer(8)
                        .map(List::size));
            case "pairs-100k" -> summed(pairs(Flowable.range(0, MANY)));
            case "capturing-100k" -> summed(capturing(name.length()));
            case "list-1", "list-10", "list-100", "list-1000" -> list(Programs.size(name));
            case "maps-5", "maps-100", "maps-1000" -> maps(Programs.size(name));
            case "fold-1000" -> summed(Flowable.range(0, FEW));
            case "first-of-100k" ->
                Flowable.range(0, MANY).map(x -> (long) x + 1).firstOrError();
            case "concat-1000" -> summed(Flowable.range(0, FEW).concatWith(Flowable.range(0, FEW)));
            case "zip-10k" -> summed(Flowable.range(0, SOME).zipWith(Flowable.range(0, SOME), Integer::sum));
            case "merge-10k" -> summed(Flowable.range(0, SOME).mergeWith(Flowable.range(0, SOME)));
            case "flatMapConcat-1000" -> summed(Flowable.range(0, FEW).concatMap(x -> Flowable.range(x, 2)));
            case "flatMapMerge-1000" -> summed(Flowable.range(0, FEW).flatMap(x -> Flowable.range(x, 2), CONCURRENT));
            case "groupBy-10k" ->
                summed(Flowable.range(0, SOME).groupBy(x -> x % KEYS).flatMap(group -> group, KEYS));
            case "mapAsync-done-1000" ->
                summed(Flowable.range(0, FEW)
                        .concatMapEager(
                                x -> Flowable.fromCompletionStage(CompletableFuture.completedFuture(x)),
                                CONCURRENT,
                                1));
            case "mapAsync-pending-100" ->
                summed(Flowable.range(0, 100)
                        .concatMapEager(x -> Flowable.fromCompletionStage(Programs.later(x)), CONCURRENT, 1));
            default -> throw new IllegalArgumentException("no program " + name);
        };
    }

    private static Single<Long> summed(Flowable<Integer> flowable) {
        return flowable.reduce(0L, (sum, x) -> sum + x);
    }

    private static Flowable<Integer> pairs(Flowable<Integer> flowable) {
        Flowable<Integer> longer = flowable;
        for (int i = 0; i < PAIRS; i++) {
            longer = longer.map(x -> x + 1).filter(x -> x > 0);
        }
        return longer;
    }

    private static Flowable<Integer> capturing(int offset) {
        return Flowable.range(0, MANY).map(x -> x + offset).filter(x -> x % offset != 0);
    }

    private static Single<Long> list(int size) {
        return Flowable.range(0, size)
                .map(x -> x + 1)
                .filter(x -> x % 2 == 0)
                .toList()
                .map(all -> (long) all.size());
    }

    private static Single<Long> maps(int count) {
        Flowable<Integer> flowable = Flowable.just(1);
        for (int i = 0; i < count; i++) {
            flowable = flowable.map(x -> x + 1);
        }
        return flowable.map(x -> (long) x).firstOrError();
    }

    private static long published(int consumers) {
        Flowable<Integer> shared = Flowable.range(0, SOME).publish().autoConnect(consumers);
        List<CompletableFuture<Long>> sums = Stream.generate(
                        () -> summed(shared).toCompletionStage().toCompletableFuture())
                .limit(consumers)
                .toList();
        return sums.stream().mapToLong(CompletableFuture::join).sum();
    }
}
