package io.millrace.streams.engine;

import io.millrace.streams.Source;
import io.millrace.streams.graph.NotUsed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A source drawn at random from junctions, expansions and steps, and the elements that loops make of the same. Where
 * inputs are merged the order is open, so those elements are compared as a sorted list.
 */
public final class RandomJunctions {
    private final SplittableRandom random;
    private boolean isMerged;

    public RandomJunctions(long seed) {
        random = new SplittableRandom(seed);
    }

    /** A source, and what it emits. */
    public record Drawn(Source<Integer, NotUsed> source, List<Integer> expected, String text) {
        private Drawn then(Source<Integer, NotUsed> next, List<Integer> elements, String operator) {
            return new Drawn(next, elements, text + "." + operator);
        }
    }

    /** Whether the order of the elements is open. */
    public boolean isMerged() {
        return isMerged;
    }

    public Drawn draw(int depth) {
        Drawn drawn = depth == 0 ? origin() : junction(depth);
        return random.nextInt(4) == 0 ? boundary(step(drawn)) : step(drawn);
    }

    private Drawn origin() {
        int size = random.nextBoolean() ? random.nextInt(4) : random.nextInt(3_000);
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            numbers.add(i);
        }
        return random.nextBoolean()
                ? new Drawn(Source.range(0, size), numbers, "range" + size)
                : new Drawn(Source.from(numbers), numbers, "list" + size);
    }

    private Drawn junction(int depth) {
        Drawn one = draw(depth - 1);
        return switch (random.nextInt(10)) {
            case 0, 1 -> concat(one, draw(depth - 1));
            case 2 -> merge(one, draw(depth - 1));
            case 3 -> isMerged ? one : zip(one, draw(depth - 1));
            case 4 -> orElse(one, draw(depth - 1));
            case 5 -> expand(one, "mapConcat");
            case 6 -> expand(one, "flatMapConcat");
            case 7 -> futures(one);
            case 8 -> futuresByKey(one);
            default -> groups(one);
        };
    }

    private static Drawn concat(Drawn one, Drawn other) {
        List<Integer> both = new ArrayList<>(one.expected());
        both.addAll(other.expected());
        return one.then(one.source().concat(other.source()), both, "concat(" + other.text() + ")");
    }

    private Drawn merge(Drawn one, Drawn other) {
        isMerged = true;
        List<Integer> both = new ArrayList<>(one.expected());
        both.addAll(other.expected());
        return one.then(one.source().merge(other.source()), both, "merge(" + other.text() + ")");
    }

    private Drawn zip(Drawn one, Drawn other) {
        if (isMerged) {
            return concat(one, other);
        }
        List<Integer> sums = new ArrayList<>();
        for (int i = 0; i < Math.min(one.expected().size(), other.expected().size()); i++) {
            sums.add(one.expected().get(i) + other.expected().get(i));
        }
        return one.then(one.source().zipWith(other.source(), Integer::sum), sums, "zip(" + other.text() + ")");
    }

    private static Drawn orElse(Drawn one, Drawn other) {
        List<Integer> first = one.expected().isEmpty() ? other.expected() : one.expected();
        return one.then(one.source().orElse(other.source()), first, "orElse(" + other.text() + ")");
    }

    private static List<Integer> some(int x) {
        return x % 3 == 0 ? List.of() : x % 3 == 1 ? List.of(x) : List.of(x, x + 1, x + 2);
    }

    private static Drawn expand(Drawn one, String operator) {
        List<Integer> more = new ArrayList<>();
        one.expected().forEach(x -> more.addAll(some(x)));
        Source<Integer, NotUsed> expanded = operator.equals("mapConcat")
                ? one.source().mapConcat(RandomJunctions::some)
                : one.source().flatMapConcat(x -> Source.from(some(x)));
        return one.then(expanded, more, operator);
    }

    /** Done in most cases, as what futures are used for often is; else soon, by another thread. */
    private static CompletionStage<Integer> future(int x) {
        return x % 11 == 3 ? CompletableFuture.supplyAsync(() -> x + 1) : CompletableFuture.completedFuture(x + 1);
    }

    private Drawn futures(Drawn one) {
        int parallelism = random.nextInt(1, 6);
        return one.then(
                one.source().mapAsync(parallelism, RandomJunctions::future),
                one.expected().stream().map(x -> x + 1).toList(),
                "mapAsync(" + parallelism + ")");
    }

    private Drawn futuresByKey(Drawn one) {
        int parallelism = random.nextInt(1, 6);
        return one.then(
                one.source().mapAsyncPartitioned(parallelism, x -> x & 3, RandomJunctions::future),
                one.expected().stream().map(x -> x + 1).toList(),
                "mapAsyncPartitioned(" + parallelism + ")");
    }

    private Drawn groups(Drawn one) {
        isMerged = true;
        return one.then(one.source().groupBy(4, x -> x & 3).mergeSubstreams(), one.expected(), "groupBy");
    }

    private Drawn step(Drawn one) {
        int bound = random.nextInt(1, 2_000);
        return switch (random.nextInt(isMerged ? 3 : 5)) {
            case 0 ->
                one.then(
                        one.source().filter(x -> x % 5 != 0),
                        one.expected().stream().filter(x -> x % 5 != 0).toList(),
                        "filter");
            case 1 ->
                one.then(
                        one.source().map(x -> x + 1),
                        one.expected().stream().map(x -> x + 1).toList(),
                        "map");
            case 3 ->
                one.then(
                        one.source().take(bound),
                        one.expected().stream().limit(bound).toList(),
                        "take(" + bound + ")");
            case 4 -> {
                List<Integer> sums = new ArrayList<>(List.of(0));
                one.expected().forEach(x -> sums.add(sums.get(sums.size() - 1) + x & 0xFFF));
                yield one.then(one.source().scan(0, (sum, x) -> sum + x & 0xFFF), sums, "scan");
            }
            default -> one;
        };
    }

    private static Drawn boundary(Drawn one) {
        return one.then(one.source().async(), one.expected(), "async");
    }
}
