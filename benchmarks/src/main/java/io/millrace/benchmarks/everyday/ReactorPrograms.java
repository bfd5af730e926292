package io.millrace.benchmarks.everyday;

import static io.millrace.benchmarks.everyday.Programs.CONCURRENT;
import static io.millrace.benchmarks.everyday.Programs.FEW;
import static io.millrace.benchmarks.everyday.Programs.KEYS;
import static io.millrace.benchmarks.everyday.Programs.MANY;
import static io.millrace.benchmarks.everyday.Programs.PAIRS;
import static io.millrace.benchmarks.everyday.Programs.SOME;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The programs as they are written with Reactor. */
final class ReactorPrograms {
    private ReactorPrograms() {}

    static Program named(String name) {
        return switch (name) {
            case "publish-1-10k" -> () -> published(1);
            case "publish-10-10k" -> () -> published(10);
            default -> () -> await(mono(name));
        };
    }

    private static long await(Mono<Long> result) {
        Long value = result.block();
        return value == null ? -1 : value;
    }

    private static Mono<Long> mono(String name) {
        return switch (name) {
            case "map-100k" -> summed(Flux.range(0, MANY).map(x -> x + 1));
            case "mapConcat-100k" -> summed(Flux.range(0, MANY).concatMapIterable(x -> List.of(x, x + 1)));
            case "grouped-100k" -> summed(Flux.range(0, MANY).buffer(8).map(List::size));
            case "mixed-100k" ->
                summed(Flux.range(0, MANY)
                        .map(x -> "n" + x)
                        .filter(text -> !text.endsWith("7"))
                        .concatMapIterable(text -> List.of(text, text))
                        .buffer(8)
                        .map(List::size));
            case "pairs-100k" -> summed(pairs(Flux.range(0, MANY)));
            case "capturing-100k" -> summed(capturing(name.length()));
            case "list-1", "list-10", "list-100", "list-1000" -> list(Programs.size(name));
            case "maps-5", "maps-100", "maps-1000" -> maps(Programs.size(name));
            case "fold-1000" -> summed(Flux.range(0, FEW));
            case "first-of-100k" -> Flux.range(0, MANY).map(x -> (long) x + 1).next();
            case "concat-1000" -> summed(Flux.range(0, FEW).concatWith(Flux.range(0, FEW)));
            case "zip-10k" -> summed(Flux.range(0, SOME).zipWith(Flux.range(0, SOME), Integer::sum));
            case "merge-10k" -> summed(Flux.range(0, SOME).mergeWith(Flux.range(0, SOME)));
            case "flatMapConcat-1000" -> summed(Flux.range(0, FEW).concatMap(x -> Flux.range(x, 2)));
            case "flatMapMerge-1000" -> summed(Flux.range(0, FEW).flatMap(x -> Flux.range(x, 2), CONCURRENT));
            case "groupBy-10k" ->
                summed(Flux.range(0, SOME).groupBy(x -> x % KEYS).flatMap(group -> group, KEYS));
            case "mapAsync-done-1000" ->
                summed(Flux.range(0, FEW)
                        .flatMapSequential(x -> Mono.fromFuture(CompletableFuture.completedFuture(x)), CONCURRENT));
            case "mapAsync-pending-100" ->
                summed(Flux.range(0, 100).flatMapSequential(x -> Mono.fromFuture(Programs.later(x)), CONCURRENT));
            default -> throw new IllegalArgumentException("no program " + name);
        };
    }

    private static Mono<Long> summed(Flux<Integer> flux) {
        return flux.reduce(0L, (sum, x) -> sum + x);
    }

    private static Flux<Integer> pairs(Flux<Integer> flux) {
        Flux<Integer> longer = flux;
        for (int i = 0; i < PAIRS; i++) {
            longer = longer.map(x -> x + 1).filter(x -> x > 0);
        }
        return longer;
    }

    private static Flux<Integer> capturing(int offset) {
        return Flux.range(0, MANY).map(x -> x + offset).filter(x -> x % offset != 0);
    }

    private static Mono<Long> list(int size) {
        return Flux.range(0, size)
                .map(x -> x + 1)
                .filter(x -> x % 2 == 0)
                .collectList()
                .map(all -> (long) all.size());
    }

    private static Mono<Long> maps(int count) {
        Flux<Integer> flux = Flux.just(1);
        for (int i = 0; i < count; i++) {
            flux = flux.map(x -> x + 1);
        }
        return flux.map(x -> (long) x).next();
    }

    private static long published(int consumers) {
        Flux<Integer> shared = Flux.range(0, SOME).publish().autoConnect(consumers);
        List<CompletableFuture<Long>> sums = Stream.generate(
                        () -> summed(shared).toFuture())
                .limit(consumers)
                .toList();
        return sums.stream().mapToLong(CompletableFuture::join).sum();
    }
}
