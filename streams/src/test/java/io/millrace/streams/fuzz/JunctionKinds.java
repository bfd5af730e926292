package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RetrySettings;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Operators with other sources, and those that let a stream go several ways. */
final class JunctionKinds {
    static final List<Function<Dice, Kind>> ALL = List.of(
            dice -> inTurn("concat", (f, o) -> f.concat(o)),
            dice -> inTurn("concatLazy", (f, o) -> f.concatLazy(o)),
            JunctionKinds::prepend,
            JunctionKinds::concatDelayError,
            JunctionKinds::orElse,
            JunctionKinds::interleave,
            JunctionKinds::zip,
            JunctionKinds::zipAll,
            JunctionKinds::mergeSorted,
            dice -> merging("merge", (f, o) -> f.merge(o)),
            dice -> merging("mergePreferred", (f, o) -> f.mergePreferred(o, true)),
            dice -> merging("mergePrioritized", (f, o) -> f.mergePrioritized(o, 2, 1)),
            dice -> merging("mergeDelayError", (f, o) -> f.mergeDelayError(o)),
            dice -> sharing("balance", (f, flow) -> f.balance(3, flow)),
            dice -> sharing("parallel", (f, flow) -> f.parallel(2, flow)),
            JunctionKinds::parallelOrdered,
            dice -> passing("alsoTo", "alsoTo(Sink.ignore())", f -> f.alsoTo(Sink.ignore())),
            dice -> passing("wireTap", "wireTap(Sink.ignore())", f -> f.wireTap(Sink.ignore())),
            dice -> passing(
                    "alsoToAll",
                    "alsoToAll(List.of(Sink.ignore(), Sink.ignore()))",
                    f -> f.alsoToAll(List.of(Sink.ignore(), Sink.ignore()))),
            JunctionKinds::divertTo,
            dice -> passing("firstOf", "firstOf(Source.empty())", f -> f.firstOf(Source.empty())),
            dice -> passing("takeUntil", "takeUntil(Source.never())", f -> f.takeUntil(Source.never())),
            dice -> passing(
                            "mergeSequence",
                            "zipWithIndex().mergeSequence(Source.empty(), Pair::second).map(Pair::first)",
                            f -> f.zipWithIndex()
                                    .mergeSequence(Source.empty(), Pair::second)
                                    .map(Pair::first))
                    .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN),
            dice -> passing(
                    "viaMat",
                    "viaMat(Sink.count(), Flow::alsoTo, Keep.left())",
                    f -> f.viaMat(Sink.<Object>count(), Flow::alsoTo, Keep.<Object, Object>left())),
            JunctionKinds::viaMat,
            JunctionKinds::skipUntil,
            JunctionKinds::retry);

    private JunctionKinds() {}

    static Pull one(List<Supplier<Pull>> others) {
        return others.get(0).get();
    }

    /** One after the other; the second is made when its turn comes. */
    static Pull chain(Pull first, Supplier<Pull> second) {
        return new Pull() {
            private Pull present = first;
            private boolean isSecond;

            @Override
            public @Nullable Object next() {
                Object x = present.next();
                if (x == null && !isSecond) {
                    isSecond = true;
                    present = second.get();
                    x = present.next();
                }
                return x;
            }
        };
    }

    private static Kind inTurn(
            String operator, BiFunction<Flow<Object, Object, ?>, Source<Object, ?>, Flow<Object, Object, ?>> join) {
        return Kind.of(
                        operator,
                        operator + "($1)",
                        (f, step, o) -> join.apply(f, o.get(0)),
                        (upstream, place, others) -> chain(upstream, others.get(0)))
                .with(1, Kind.Trait.AHEAD);
    }

    private static Kind viaMat(Dice dice) {
        return Kind.of(
                        "viaMat",
                        "viaMat($1, Flow::concat, Keep.left())",
                        (f, step, o) -> f.viaMat(o.get(0), Flow::concat, Keep.<Object, Object>left()),
                        (upstream, place, others) -> chain(upstream, others.get(0)))
                .with(1, Kind.Trait.AHEAD);
    }

    private static Kind prepend(Dice dice) {
        return Kind.of(
                        "prepend",
                        "prepend($1)",
                        (f, step, o) -> f.prepend(o.get(0)),
                        (upstream, place, others) -> chain(one(others), () -> upstream))
                .with(1, Kind.Trait.AHEAD);
    }

    private static Kind concatDelayError(Dice dice) {
        return Kind.of(
                        "concatDelayError",
                        "concatDelayError($1)",
                        (f, step, o) -> f.concatDelayError(o.get(0)),
                        (upstream, place, others) -> {
                            List<Failed> delayed = new ArrayList<>();
                            Pull both = chain(delaying(upstream, delayed), () -> delaying(one(others), delayed));
                            return raising(both, delayed);
                        })
                .with(1, Kind.Trait.AHEAD);
    }

    /** The same elements, but a failure is noted and ends them. */
    static Pull delaying(Pull elements, List<Failed> delayed) {
        return () -> {
            try {
                return elements.next();
            } catch (Failed failed) {
                delayed.add(failed);
                return null;
            }
        };
    }

    static Pull raising(Pull elements, List<Failed> delayed) {
        return () -> {
            Object x = elements.next();
            if (x == null && !delayed.isEmpty()) {
                throw delayed.get(0);
            }
            return x;
        };
    }

    private static Kind orElse(Dice dice) {
        return Kind.of("orElse", "orElse($1)", (f, step, o) -> f.orElse(o.get(0)), (upstream, place, others) -> {
                    boolean[] seen = {false};
                    Pull noting = () -> {
                        Object x = upstream.next();
                        seen[0] |= x != null;
                        return x;
                    };
                    return chain(noting, () -> seen[0] ? () -> null : one(others));
                })
                .with(1, Kind.Trait.AHEAD);
    }

    private static Kind interleave(Dice dice) {
        int segment = dice.from(1, 4);
        boolean isEager = dice.oneIn(2);
        return Kind.of(
                        "interleave",
                        "interleave($1, " + segment + ", " + isEager + ")",
                        (f, step, o) -> f.interleave(o.get(0), segment, isEager),
                        (upstream, place, others) -> Pull.lazily(
                                () -> interleaved(upstream.rest(), one(others).rest(), segment, isEager)))
                .with(1, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static List<Object> interleaved(List<Object> a, List<Object> b, int segment, boolean isEager) {
        List<Object> all = new ArrayList<>();
        Iterator<Object> own = a.iterator();
        Iterator<Object> next = b.iterator();
        while (own.hasNext() || (next.hasNext() && !isEager)) {
            for (int i = 0; i < segment && (own.hasNext() || isEager); i++) {
                if (!own.hasNext()) {
                    return all;
                }
                all.add(own.next());
            }
            Iterator<Object> before = own;
            own = next;
            next = before;
        }
        return all;
    }

    private static Kind zip(Dice dice) {
        Fault fault = dice.fault();
        return Kind.of(
                        "zipWith",
                        "zipWith($1, (x, y) -> " + fault.text("$0", "Change.both(x, y)") + ")",
                        (f, step, o) -> f.zipWith(o.get(0), (x, y) -> fault.of(step, x, Change.both(x, y))),
                        (upstream, place, others) -> zipped(upstream, one(others), place, fault))
                .with(1, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static Pull zipped(Pull upstream, Pull other, Place place, Fault fault) {
        return () -> {
            while (true) {
                Object x = upstream.next();
                Object y = x == null ? null : other.next();
                if (x == null || y == null) {
                    return null;
                }
                try {
                    return place.present(fault.of(place.step(), x, Change.both(x, y)));
                } catch (Throwable thrown) {
                    place.losesState(thrown);
                }
            }
        };
    }

    /** What a function makes of an element, of which the failure is that of the stream. */
    static Object unsupervised(Fault fault, Place place, Object x, Object value) {
        try {
            return place.present(fault.of(place.step(), x, value));
        } catch (Throwable thrown) {
            throw place.failed(thrown);
        }
    }

    private static Kind zipAll(Dice dice) {
        return Kind.of(
                        "zipAll",
                        "zipAll($1, \"-\", \"+\").map(p -> (Object) List.of(p.first(), p.second()))",
                        (f, step, o) ->
                                f.zipAll(o.get(0), (Object) "-", (Object) "+").map(p -> List.of(p.first(), p.second())),
                        (upstream, place, others) -> Pull.lazily(
                                () -> zippedAll(upstream.rest(), one(others).rest())))
                .with(1, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static List<Object> zippedAll(List<Object> a, List<Object> b) {
        List<Object> pairs = new ArrayList<>();
        for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
            pairs.add(List.of(i < a.size() ? a.get(i) : "-", i < b.size() ? b.get(i) : "+"));
        }
        return pairs;
    }

    static int order(Object x, Object y) {
        return Integer.compare(Fault.hash(x, 50), Fault.hash(y, 50));
    }

    /** Merges by number as sorted inputs are merged, whether they are sorted or not. */
    private static Kind mergeSorted(Dice dice) {
        return Kind.of(
                        "mergeSorted",
                        "mergeSorted($1, (x, y) -> Fault.hash(x, 50) - Fault.hash(y, 50))",
                        (f, step, o) -> f.mergeSorted(o.get(0), JunctionKinds::order),
                        (upstream, place, others) -> Pull.lazily(
                                () -> mergedSorted(upstream.rest(), one(others).rest())))
                .with(1, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static List<Object> mergedSorted(List<Object> a, List<Object> b) {
        List<Object> merged = new ArrayList<>();
        int i = 0;
        int k = 0;
        while (i < a.size() || k < b.size()) {
            boolean isFirst = k == b.size() || (i < a.size() && order(a.get(i), b.get(k)) <= 0);
            merged.add(isFirst ? a.get(i++) : b.get(k++));
        }
        return merged;
    }

    /** The order of each source's elements is kept; who comes first is open. */
    private static Kind merging(
            String operator, BiFunction<Flow<Object, Object, ?>, Source<Object, ?>, Flow<Object, Object, ?>> join) {
        return Kind.of(
                        operator,
                        "map(x -> (Object) List.of(1, x))." + operator
                                + "($1.map(x -> (Object) List.of(2, x))).fold((Object) List.of(),"
                                + " Lists::add).map(Lists::byMark)",
                        (f, step, o) -> join.apply(
                                        f.map(x -> (Object) List.of(1, x)),
                                        o.get(0).map(x -> (Object) List.of(2, x)))
                                .fold((Object) List.of(), Lists::add)
                                .map(Lists::byMark),
                        (upstream, place, others) -> Pull.lazily(
                                () -> bothLists(upstream.rest(), one(others).rest())))
                .with(1, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    static List<Object> bothLists(List<Object> a, List<Object> b) {
        List<Object> both = new ArrayList<>(List.of(a, b));
        both.remove(List.of());
        both.remove(List.of());
        return List.of(both);
    }

    private static Kind sharing(
            String operator,
            BiFunction<Flow<Object, Object, ?>, Flow<Object, Object, ?>, Flow<Object, Object, ?>> share) {
        return Kind.of(
                        operator,
                        operator + "(2, Flow.<Object>create().map(Change.TWICE::of))"
                                + ".fold((Object) List.of(), Lists::add).map(Lists::sorted)",
                        (f, step, o) -> share.apply(f, Flow.<Object>create().map(Change.TWICE::of))
                                .fold((Object) List.of(), Lists::add)
                                .map(Lists::sorted),
                        (upstream, place, others) -> Pull.lazily(() -> List.of(Lists.sorted(
                                upstream.rest().stream().map(Change.TWICE::of).toList()))))
                .with(0, Kind.Trait.AHEAD);
    }

    private static Kind parallelOrdered(Dice dice) {
        return Kind.of(
                        "parallelOrdered",
                        "parallelOrdered(3, Flow.<Object>create().map(Change.WIDER::of))",
                        (f, step, o) ->
                                f.parallelOrdered(3, Flow.<Object>create().map(Change.WIDER::of)),
                        Steps.each((x, place) -> Change.WIDER.of(x)))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    static Kind passing(String operator, String text, Function<Flow<Object, Object, ?>, Flow<Object, Object, ?>> way) {
        return Kind.of(operator, text, (f, step, o) -> way.apply(f), (upstream, place, others) -> upstream)
                .with(0, Kind.Trait.AHEAD);
    }

    private static Kind divertTo(Dice dice) {
        return Kind.of(
                        "divertTo",
                        "divertTo(Sink.ignore(), x -> Fault.hash(x, 3) == 1)",
                        (f, step, o) -> f.divertTo(Sink.ignore(), x -> Fault.hash(x, 3) == 1),
                        Steps.each((x, place) -> Fault.hash(x, 3) == 1 ? Steps.NOTHING : x))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    /** What it waits for never comes. */
    private static Kind skipUntil(Dice dice) {
        return Kind.of(
                        "skipUntil",
                        "skipUntil(Source.never())",
                        (f, step, o) -> f.skipUntil(Source.never()),
                        Steps.each((x, place) -> Steps.NOTHING))
                .with(0, Kind.Trait.AHEAD);
    }

    /** Goes on with a source that is run anew when it fails. */
    private static Kind retry(Dice dice) {
        int times = dice.from(1, 3);
        return Kind.of(
                        "retry",
                        "concat($1.retry(RetrySettings.times(" + times + ")))",
                        (f, step, o) -> f.concat(o.get(0).retry(RetrySettings.times(times))),
                        (upstream, place, others) -> chain(upstream, () -> retried(others.get(0), times)))
                .with(1, Kind.Trait.AHEAD);
    }

    static Pull retried(Supplier<Pull> source, int times) {
        return new Pull() {
            private Pull present = source.get();
            private int left = times;

            @Override
            public @Nullable Object next() {
                while (true) {
                    try {
                        return present.next();
                    } catch (Failed failed) {
                        if (left-- == 0) {
                            throw failed;
                        }
                        present = source.get();
                    }
                }
            }
        };
    }
}
