package io.millrace.streams.engine;

import io.millrace.streams.Attributes;
import io.millrace.streams.NotUsed;
import io.millrace.streams.Pair;
import io.millrace.streams.Source;
import io.millrace.streams.Supervision;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A line of random synchronous operators, as a stream and as plain loops over lists. */
final class RandomPipeline {
    private final List<Operator> operators = new ArrayList<>();
    private final List<Integer> input;
    private final StringBuilder text = new StringBuilder();

    /** One operator in both forms. */
    private record Operator(Streamed streamed, Looped looped) {}

    private interface Streamed {
        Source<Integer, NotUsed> apply(Source<Integer, NotUsed> before);
    }

    private interface Looped {
        List<Integer> apply(List<Integer> before);
    }

    RandomPipeline(Random random) {
        int count = random.nextInt(60);
        input = random.ints(random.nextInt(200), 0, 100).boxed().toList();
        for (int i = 0; i < count; i++) {
            int kind = random.nextInt(14);
            int k = random.nextInt(20);
            text.append(kind).append('(').append(k).append(") ");
            operators.add(kind < 8 ? simple(kind, k) : stateful(kind, k));
        }
    }

    @Override
    public String toString() {
        return input + " " + text;
    }

    /** The stream; {@code between} is put behind every operator. */
    Source<Integer, NotUsed> streamed(Streamed between) {
        Source<Integer, NotUsed> stream = between.apply(Source.from(input));
        for (Operator operator : operators) {
            stream = between.apply(operator.streamed().apply(stream));
        }
        return stream;
    }

    Source<Integer, NotUsed> streamed() {
        return streamed(stream -> stream);
    }

    /** The stream, with an asynchronous boundary behind some operators. */
    Source<Integer, NotUsed> streamedOverBoundaries(Random random) {
        return streamed(stream -> random.nextInt(6) == 0
                ? stream.withAttributes(Attributes.asyncBoundary().and(Attributes.inputBuffer(1 + random.nextInt(40))))
                : stream);
    }

    Source<Integer, NotUsed> streamedInterpreted() {
        return streamed(stream -> stream.via(new PassOnStage()));
    }

    List<Integer> looped() {
        List<Integer> elements = input;
        for (Operator operator : operators) {
            elements = operator.looped().apply(elements);
        }
        return elements;
    }

    private static Operator simple(int kind, int k) {
        return switch (kind) {
            case 0, 1 ->
                new Operator(
                        s -> s.map(x -> (x * 3 + k) % 1009),
                        l -> l.stream().map(x -> (x * 3 + k) % 1009).toList());
            case 2 ->
                new Operator(
                        s -> s.filter(x -> x % 5 != k % 5),
                        l -> l.stream().filter(x -> x % 5 != k % 5).toList());
            case 3 ->
                new Operator(
                        s -> s.take(10L * k), l -> l.stream().limit(10L * k).toList());
            case 4 -> new Operator(s -> s.drop(k), l -> l.stream().skip(k).toList());
            case 5 ->
                new Operator(
                        s -> s.takeWhile(x -> x < 900 + k),
                        l -> l.stream().takeWhile(x -> x < 900 + k).toList());
            case 6 ->
                new Operator(
                        s -> s.dropWhile(x -> x < 10 * k),
                        l -> l.stream().dropWhile(x -> x < 10 * k).toList());
            default ->
                new Operator(
                        s -> s.mapConcat(x -> x > 1000 ? List.of() : Collections.nCopies(x % 3, x)),
                        l -> l.stream()
                                .flatMap(x ->
                                        x > 1000 ? List.<Integer>of().stream() : Collections.nCopies(x % 3, x).stream())
                                .toList());
        };
    }

    private static Operator stateful(int kind, int k) {
        return switch (kind) {
            case 8 -> new Operator(s -> s.scan(k, (sum, x) -> (sum + x) % 1009), l -> scanned(l, k));
            case 9 -> new Operator(s -> s.grouped(1 + k).map(RandomPipeline::sum), l -> groupSums(l, 1 + k));
            case 10 ->
                new Operator(
                        s -> s.zipWithIndex().map(pair -> (int) ((pair.first() + pair.second()) % 1009)),
                        RandomPipeline::plusIndex);
            case 11 ->
                new Operator(
                        s -> s.map(x -> failingAt(x, k)).withAttributes(Attributes.supervision(Supervision.resume())),
                        l -> l.stream().filter(x -> x % 20 != k).toList());
            case 12 ->
                new Operator(
                        s -> s.statefulMap(
                                () -> k,
                                (sum, x) -> new Pair<>((sum + x) % 1009, (sum + x) % 1009),
                                sum -> Optional.of(sum)),
                        l -> runningAndLast(l, k));
            default ->
                new Operator(
                        s -> s.fold(k, (sum, x) -> (sum * 31 + x) % 1009).mapConcat(x -> Collections.nCopies(30, x)),
                        l -> folded(l, k));
        };
    }

    private static int failingAt(int x, int k) {
        if (x % 20 == k) {
            throw new IllegalArgumentException("not this one: " + x);
        }
        return x;
    }

    private static int sum(List<Integer> elements) {
        return elements.stream().mapToInt(Integer::intValue).sum() % 1009;
    }

    private static List<Integer> scanned(List<Integer> elements, int zero) {
        List<Integer> results = new ArrayList<>();
        int sum = zero;
        results.add(sum);
        for (int x : elements) {
            sum = (sum + x) % 1009;
            results.add(sum);
        }
        return results;
    }

    private static List<Integer> runningAndLast(List<Integer> elements, int zero) {
        List<Integer> results = new ArrayList<>(scanned(elements, zero));
        results.add(results.get(results.size() - 1));
        results.remove(0);
        return results;
    }

    private static List<Integer> groupSums(List<Integer> elements, int size) {
        List<Integer> results = new ArrayList<>();
        for (int i = 0; i < elements.size(); i += size) {
            results.add(sum(elements.subList(i, Math.min(elements.size(), i + size))));
        }
        return results;
    }

    private static List<Integer> plusIndex(List<Integer> elements) {
        List<Integer> results = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            results.add((elements.get(i) + i) % 1009);
        }
        return results;
    }

    private static List<Integer> folded(List<Integer> elements, int zero) {
        int result = zero;
        for (int x : elements) {
            result = (result * 31 + x) % 1009;
        }
        return Collections.nCopies(30, result);
    }
}
