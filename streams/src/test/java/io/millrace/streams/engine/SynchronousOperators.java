package io.millrace.streams.engine;

import io.millrace.streams.Flow;
import io.millrace.streams.engine.RandomPipeline.Operator;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Every synchronous operator from numbers to numbers, for a parameter from 0 to 19, as a stream and as a plain loop. */
public final class SynchronousOperators {
    private static final int MODULUS = 1009;
    private static final Duration DAY = Duration.ofDays(1);

    public static final List<IntFunction<Operator>> KINDS = List.of(
            SynchronousOperators::map,
            SynchronousOperators::filter,
            k -> new Operator(
                    s -> s.filterNot(x -> x % 7 == k % 7),
                    l -> l.stream().filter(x -> x % 7 != k % 7).toList()),
            k -> new Operator(s -> s.collectType(Integer.class), l -> l),
            k -> new Operator(
                    s -> s.take(10L * k), l -> l.stream().limit(10L * k).toList()),
            k -> new Operator(
                    s -> s.takeWhile(x -> x < 900 + k),
                    l -> l.stream().takeWhile(x -> x < 900 + k).toList()),
            k -> new Operator(s -> s.takeThrough(x -> x < 940 + k), l -> throughFirst(l, 940 + k)),
            k -> new Operator(s -> s.takeUntil((Integer x) -> x >= 950 + k), l -> throughFirst(l, 950 + k)),
            k -> new Operator(s -> s.drop(k), l -> l.stream().skip(k).toList()),
            k -> new Operator(
                    s -> s.dropWhile(x -> x < 10 * k),
                    l -> l.stream().dropWhile(x -> x < 10 * k).toList()),
            k -> new Operator(
                    s -> s.skipLast(k),
                    l -> l.stream().limit(Math.max(0, l.size() - k)).toList()),
            k -> new Operator(
                    s -> s.filter(x -> x < 10 * k).defaultIfEmpty(k),
                    l -> orElse(l.stream().filter(x -> x < 10 * k).toList(), k)),
            k -> new Operator(s -> s.doOnNext(x -> {}).doOnComplete(() -> {}).doOnError(failure -> {}), l -> l),
            k -> new Operator(s -> s.limit(1_000_000 + k), l -> l),
            k -> new Operator(s -> s.limitWeighted(1_000_000_000, x -> x + k), l -> l),
            SynchronousOperators::mapConcat,
            SynchronousOperators::scan,
            SynchronousOperators::fold,
            SynchronousOperators::reduce,
            SynchronousOperators::statefulMap,
            SynchronousOperators::zipWithIndex,
            k -> new Operator(
                    s -> s.grouped(1 + k).map(SynchronousOperators::sum),
                    l -> windows(l, 1 + k, 1 + k).stream()
                            .map(SynchronousOperators::sum)
                            .toList()),
            SynchronousOperators::sliding,
            SynchronousOperators::groupedWeighted,
            SynchronousOperators::aggregateWithBoundary,
            k -> new Operator(s -> s.distinct(), l -> new ArrayList<>(new LinkedHashSet<>(l))),
            SynchronousOperators::dropRepeated,
            SynchronousOperators::intersperse,
            k -> new Operator(s -> s.materialize().dematerialize(signal -> signal), l -> l),
            k -> new Operator(s -> s.timestamp().map(stamped -> stamped.element()), l -> l),
            k -> new Operator(s -> s.timeout(DAY).completionTimeout(DAY), l -> l),
            k -> new Operator(
                    s -> s.throttleFirst(DAY).mapConcat(x -> Collections.nCopies(30, x)),
                    l -> l.isEmpty() ? l : Collections.nCopies(30, l.get(0))),
            k -> new Operator(s -> s.recover(failure -> k), l -> l),
            k -> new Operator(s -> s.mapError(failure -> new IllegalStateException(failure)), l -> l),
            SynchronousOperators::supervised,
            k -> new Operator(
                    s -> s.map(x -> failingAbove(x, k)).recover(failure -> k), l -> untilAbove(l, k, List.of(k))),
            k -> new Operator(s -> s.map(x -> failingAbove(x, k)).onErrorComplete(), l -> untilAbove(l, k, List.of())),
            SynchronousOperators::recoverOfMapped);

    private SynchronousOperators() {}

    private static List<Integer> orElse(List<Integer> some, int one) {
        return some.isEmpty() ? List.of(one) : some;
    }

    private static Operator map(int k) {
        UnaryOperator<Integer> function = x -> (x * 3 + k) % MODULUS;
        return new Operator(
                s -> s.map(function::apply), l -> l.stream().map(function).toList());
    }

    private static Operator filter(int k) {
        return new Operator(
                s -> s.filter(x -> x % 5 != k % 5),
                l -> l.stream().filter(x -> x % 5 != k % 5).toList());
    }

    private static Operator mapConcat(int k) {
        return new Operator(
                s -> s.mapConcat(x -> x > 1000 ? List.of() : Collections.nCopies((x + k) % 3, x)),
                l -> l.stream()
                        .flatMap(x -> x > 1000 ? Stream.<Integer>empty() : Collections.nCopies((x + k) % 3, x).stream())
                        .toList());
    }

    private static Operator scan(int k) {
        return new Operator(s -> s.scan(k, (sum, x) -> (sum + x) % MODULUS), l -> scanned(l, k));
    }

    private static Operator fold(int k) {
        return new Operator(
                s -> s.fold(k, (sum, x) -> (sum * 31 + x) % MODULUS).mapConcat(x -> Collections.nCopies(30, x)),
                l -> Collections.nCopies(30, l.stream().reduce(k, (sum, x) -> (sum * 31 + x) % MODULUS)));
    }

    /** A reduction of nothing would fail, so there is always one element. */
    private static Operator reduce(int k) {
        return new Operator(
                s -> s.scan(k, (last, x) -> x)
                        .reduce((sum, x) -> (sum * 31 + x) % MODULUS)
                        .mapConcat(x -> Collections.nCopies(20, x)),
                l -> Collections.nCopies(20, l.stream().reduce(k, (sum, x) -> (sum * 31 + x) % MODULUS)));
    }

    private static Operator statefulMap(int k) {
        return new Operator(
                s -> s.statefulMap(
                        () -> k, (sum, x) -> new Pair<>((sum + x) % MODULUS, (sum + x) % MODULUS), Optional::of),
                l -> {
                    List<Integer> results = scanned(l, k);
                    results.add(results.get(results.size() - 1));
                    results.remove(0);
                    return results;
                });
    }

    private static Operator zipWithIndex(int k) {
        return new Operator(
                s -> s.zipWithIndex().map(pair -> (int) ((pair.first() + pair.second() + k) % MODULUS)), l -> {
                    List<Integer> results = new ArrayList<>();
                    for (int i = 0; i < l.size(); i++) {
                        results.add((l.get(i) + i + k) % MODULUS);
                    }
                    return results;
                });
    }

    private static Operator sliding(int k) {
        int size = 1 + k % 5;
        int step = 1 + k % 4;
        return new Operator(
                s -> s.sliding(size, step).map(SynchronousOperators::sum),
                l -> windows(l, size, step).stream()
                        .map(SynchronousOperators::sum)
                        .toList());
    }

    private static Operator groupedWeighted(int k) {
        return new Operator(s -> s.groupedWeighted(100 + k, x -> x).map(SynchronousOperators::sum), l -> {
            List<Integer> results = new ArrayList<>();
            List<Integer> group = new ArrayList<>();
            int weight = 0;
            for (int x : l) {
                if (!group.isEmpty() && (weight >= 100 + k || weight + x > 100 + k)) {
                    results.add(sum(group));
                    group.clear();
                    weight = 0;
                }
                group.add(x);
                weight += x;
            }
            if (!group.isEmpty()) {
                results.add(sum(group));
            }
            return results;
        });
    }

    private static Operator aggregateWithBoundary(int k) {
        return new Operator(
                s -> s.aggregateWithBoundary(
                        () -> 0, (sum, x) -> new Pair<>((sum + x) % MODULUS, x % 8 == k % 8), sum -> sum + 1),
                l -> {
                    List<Integer> results = new ArrayList<>();
                    int sum = 0;
                    boolean open = false;
                    for (int x : l) {
                        sum = (sum + x) % MODULUS;
                        open = x % 8 != k % 8;
                        if (!open) {
                            results.add(sum + 1);
                            sum = 0;
                        }
                    }
                    if (open) {
                        results.add(sum + 1);
                    }
                    return results;
                });
    }

    private static Operator dropRepeated(int k) {
        return new Operator(s -> s.map(x -> x / (1 + k)).dropRepeated(), l -> {
            List<Integer> results = new ArrayList<>();
            for (int x : l) {
                if (results.isEmpty() || results.get(results.size() - 1) != x / (1 + k)) {
                    results.add(x / (1 + k));
                }
            }
            return results;
        });
    }

    private static Operator intersperse(int k) {
        return new Operator(s -> s.intersperse(k), l -> {
            List<Integer> results = new ArrayList<>();
            for (int x : l) {
                if (!results.isEmpty()) {
                    results.add(k);
                }
                results.add(x);
            }
            return results;
        });
    }

    private static Operator supervised(int k) {
        return new Operator(
                s -> s.via(Flow.<Integer>create()
                        .map(x -> failingAt(x, k))
                        .withAttributes(Attributes.supervision(Supervision.resume()))),
                l -> l.stream().filter(x -> x % 20 != k).toList());
    }

    /** Two failures, each seen by the operator that is next below it only, with states and a last element on the way. */
    private static Operator recoverOfMapped(int k) {
        return new Operator(
                s -> s.map(x -> failingAbove(x, k))
                        .scan(0, (last, x) -> x)
                        .mapError(failure -> new UnsupportedOperationException(failure))
                        .statefulMap(
                                () -> 0, (count, x) -> new Pair<>(count + 1, x), count -> Optional.of(count % 1009))
                        .recover(failure -> failure instanceof UnsupportedOperationException ? 1 : 2),
                l -> {
                    List<Integer> passed = untilAbove(l, k, List.of());
                    List<Integer> results = new ArrayList<>(List.of(0));
                    results.addAll(passed);
                    results.add(passed.size() < l.size() ? 1 : results.size() % 1009);
                    return results;
                });
    }

    private static int failingAbove(int x, int k) {
        if (x > 950 + k) {
            throw new IllegalArgumentException("too much: " + x);
        }
        return x;
    }

    private static List<Integer> untilAbove(List<Integer> elements, int k, List<Integer> last) {
        List<Integer> results = new ArrayList<>();
        for (int x : elements) {
            if (x > 950 + k) {
                results.addAll(last);
                break;
            }
            results.add(x);
        }
        return results;
    }

    private static int failingAt(int x, int k) {
        if (x % 20 == k) {
            throw new IllegalArgumentException("not this one: " + x);
        }
        return x;
    }

    private static int sum(List<Integer> elements) {
        return elements.stream().mapToInt(Integer::intValue).sum() % MODULUS;
    }

    private static List<Integer> scanned(List<Integer> elements, int zero) {
        List<Integer> results = new ArrayList<>();
        int sum = zero;
        results.add(sum);
        for (int x : elements) {
            sum = (sum + x) % MODULUS;
            results.add(sum);
        }
        return results;
    }

    private static List<Integer> throughFirst(List<Integer> elements, int least) {
        List<Integer> results = new ArrayList<>();
        for (int x : elements) {
            results.add(x);
            if (x >= least) {
                break;
            }
        }
        return results;
    }

    /** Full windows, and at the end a shorter one with what was in none. */
    private static List<List<Integer>> windows(List<Integer> elements, int size, int step) {
        List<List<Integer>> windows = new ArrayList<>();
        int covered = 0;
        for (int start = 0; start < elements.size() && covered < elements.size(); start += step) {
            int end = Math.min(elements.size(), start + size);
            windows.add(elements.subList(start, end));
            covered = end;
        }
        return windows;
    }
}
