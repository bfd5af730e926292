package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Operators that make streams of elements, and one stream of many again. */
final class SubstreamKinds {
    static final List<Function<Dice, Kind>> ALL = List.of(
            SubstreamKinds::flatMapConcat,
            dice -> ofOther("flatMapConcat", dice.from(1, 4)),
            dice -> ofOther("switchMap", 1),
            SubstreamKinds::flatMapMerge,
            SubstreamKinds::groupBy,
            dice -> split("splitWhen"),
            dice -> split("splitAfter"),
            SubstreamKinds::prefixAndTail,
            SubstreamKinds::switchOnFirst,
            SubstreamKinds::expandRecursively);

    private SubstreamKinds() {}

    private static Kind flatMapConcat(Dice dice) {
        Fault fault = dice.fault();
        return Kind.of(
                        "flatMapConcat",
                        "flatMapConcat(x -> " + fault.text("$0", "Source.from(Change.some(x))") + ")",
                        (f, step, o) -> f.flatMapConcat(x -> fault.of(step, x, Source.from(Change.some(x)))),
                        Steps.model(place -> new Steps() {
                            @Override
                            void take(Object x) throws Exception {
                                List<Object> some = fault.of(place.step(), x, Change.some(x));
                                out.addAll((List<?>) place.present(some));
                            }
                        }))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.HOLDS);
    }

    /** The same source for each of the first elements, so that the number of elements keeps its bounds. */
    private static Kind ofOther(String operator, int most) {
        return Kind.of(
                        operator,
                        "take(" + most + ")." + operator + "(x -> $1)",
                        (f, step, o) -> operator.equals("switchMap")
                                ? f.take(most).switchMap(x -> o.get(0))
                                : f.take(most).flatMapConcat(x -> o.get(0)),
                        (upstream, place, others) -> new Pull() {
                            private int left = most;
                            private @Nullable Pull present;

                            @Override
                            public @Nullable Object next() {
                                while (true) {
                                    Object x = present == null ? null : present.next();
                                    if (x != null) {
                                        return x;
                                    }
                                    present = null;
                                    if (left-- <= 0 || upstream.next() == null) {
                                        left = 0;
                                        return null;
                                    }
                                    present = others.get(0).get();
                                }
                            }
                        })
                .with(1, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static Kind flatMapMerge(Dice dice) {
        int breadth = dice.from(1, 4);
        return Kind.of(
                        "flatMapMerge",
                        "flatMapMerge(" + breadth + ", x -> Source.from(Change.some(x)).map(y -> y).async())"
                                + ".fold((Object) List.of(), Lists::add).map(Lists::sorted)",
                        (f, step, o) -> f.flatMapMerge(
                                        breadth,
                                        x -> Source.from(Change.some(x))
                                                .map(y -> y)
                                                .async())
                                .fold((Object) List.of(), Lists::add)
                                .map(Lists::sorted),
                        (upstream, place, others) -> Pull.lazily(() -> List.of(Lists.sorted(upstream.rest().stream()
                                .flatMap(x -> Change.some(x).stream())
                                .toList()))))
                .with(0, Kind.Trait.AHEAD);
    }

    private static Kind groupBy(Dice dice) {
        int keys = dice.from(1, 5);
        Fault fault = dice.fault();
        return Kind.of(
                        "groupBy",
                        "groupBy(" + keys + ", x -> " + fault.text("$0", "Fault.hash(x, " + keys + ")")
                                + ").viaKeyed(k -> Flow.<Object>create().map(x -> (Object) List.of(k, x)))"
                                + ".mergeSubstreams().fold((Object) List.of(), Lists::add).map(Lists::byMark)",
                        (f, step, o) -> f.groupBy(keys, x -> fault.of(step, x, (Integer) Fault.hash(x, keys)))
                                .viaKeyed(k -> Flow.<Object>create().map(x -> (Object) List.of(k, x)))
                                .mergeSubstreams()
                                .fold((Object) List.of(), Lists::add)
                                .map(Lists::byMark),
                        groups(keys, fault))
                .with(0, Kind.Trait.AHEAD);
    }

    static Kind.Model groups(int keys, Fault fault) {
        return Steps.model(place -> new Steps() {
            private final List<Object> marked = new ArrayList<>();

            {
                isLasting = true;
            }

            @Override
            void take(Object x) throws Exception {
                Object key = place.present(fault.of(place.step(), x, (Integer) Fault.hash(x, keys)));
                marked.add(List.of(key, x));
            }

            @Override
            void end() {
                out.add(Lists.byMark(marked));
            }
        });
    }

    private static Kind split(String operator) {
        boolean isAfter = operator.equals("splitAfter");
        return Kind.of(
                        operator,
                        operator + "(x -> Fault.hash(x, 4) == 1)"
                                + ".via(Flow.<Object>create().fold((Object) List.of(), Lists::add)).concatSubstreams()",
                        (f, step, o) -> (isAfter
                                        ? f.splitAfter(x -> Fault.hash(x, 4) == 1)
                                        : f.splitWhen(x -> Fault.hash(x, 4) == 1))
                                .via(Flow.<Object>create().fold((Object) List.of(), Lists::add))
                                .concatSubstreams(),
                        Steps.model(place -> new Steps() {
                            private List<Object> part = new ArrayList<>();

                            @Override
                            void take(Object x) {
                                boolean isEdge = Fault.hash(x, 4) == 1;
                                if (isEdge && !isAfter) {
                                    end();
                                }
                                part.add(x);
                                if (isEdge && isAfter) {
                                    end();
                                }
                            }

                            @Override
                            void end() {
                                if (!part.isEmpty()) {
                                    out.add(part);
                                    part = new ArrayList<>();
                                }
                            }
                        }))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static Kind prefixAndTail(Dice dice) {
        int count = dice.below(6);
        return Kind.of(
                        "prefixAndTail",
                        "prefixAndTail(" + count
                                + ").flatMapConcat(p -> Source.<Object>single(p.first()).concat(p.second()))",
                        (f, step, o) -> f.prefixAndTail(count)
                                .flatMapConcat(
                                        p -> Source.<Object>single(p.first()).concat(p.second())),
                        (upstream, place, others) -> {
                            boolean[] begun = {false};
                            return () -> {
                                if (begun[0]) {
                                    return upstream.next();
                                }
                                begun[0] = true;
                                return prefix(upstream, count);
                            };
                        })
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static List<Object> prefix(Pull upstream, int count) {
        List<Object> prefix = new ArrayList<>();
        Object x = count == 0 ? null : upstream.next();
        while (x != null) {
            prefix.add(x);
            x = prefix.size() == count ? null : upstream.next();
        }
        return prefix;
    }

    private static Kind switchOnFirst(Dice dice) {
        return Kind.of(
                        "switchOnFirst",
                        "switchOnFirst(first -> Flow.<Object>create().map(x -> Change.both(first, x)))",
                        (f, step, o) ->
                                f.switchOnFirst(first -> Flow.<Object>create().map(x -> Change.both(first, x))),
                        Steps.model(place -> new Steps() {
                            private @Nullable Object first;

                            @Override
                            void take(Object x) {
                                Object known = first == null ? x : first;
                                first = known;
                                out.add(Change.both(known, x));
                            }
                        }))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    /** Below a number there is the half of it. */
    static List<Object> below(Object x) {
        return x instanceof Integer i && i > 1 && i < 100 ? List.of(i / 2, "half") : List.of();
    }

    private static Kind expandRecursively(Dice dice) {
        return Kind.of(
                        "expandRecursively",
                        "expandRecursively(x -> Source.from(SubstreamKinds.below(x)))",
                        (f, step, o) -> f.expandRecursively(x -> Source.from(below(x))),
                        (upstream, place, others) -> {
                            List<Object> level = new ArrayList<>();
                            Pull first = () -> {
                                Object x = upstream.next();
                                if (x != null) {
                                    level.add(x);
                                }
                                return x;
                            };
                            return JunctionKinds.chain(first, () -> Pull.lazily(() -> levels(level)));
                        })
                .with(0, Kind.Trait.AHEAD);
    }

    private static List<Object> levels(List<Object> first) {
        List<Object> all = new ArrayList<>();
        List<Object> level = first;
        while (!level.isEmpty()) {
            level = level.stream().flatMap(x -> below(x).stream()).toList();
            all.addAll(level);
        }
        return all;
    }
}
