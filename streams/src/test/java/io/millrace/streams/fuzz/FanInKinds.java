package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.Source;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Junctions of three inputs and more, of which two are other sources. */
final class FanInKinds {
    static final List<Function<Dice, Kind>> ALL = List.of(
            FanInKinds::concat,
            FanInKinds::concatDelayError,
            FanInKinds::interleave,
            FanInKinds::mergeSorted,
            FanInKinds::merge,
            FanInKinds::mergeDelayError,
            FanInKinds::mergeLatest,
            FanInKinds::firstOf,
            FanInKinds::zipN,
            FanInKinds::zipWithN,
            FanInKinds::concatAll,
            FanInKinds::mergeAll);

    private FanInKinds() {}

    /** A flow into the first of three inputs. */
    static <O> Flow<Object, O, ?> joined(
            Graph<FanInShape<Object, O>, NotUsed> junction, Source<Object, ?> second, Source<Object, ?> third) {
        return Flow.fromGraph(GraphBuilder.create(builder -> {
            FanInShape<Object, O> join = builder.add(junction);
            builder.connect(builder.add(second).out(), join.in(1));
            builder.connect(builder.add(third).out(), join.in(2));
            return FlowShape.of(join.in(0), join.out());
        }));
    }

    private static Kind three(
            String name, String arguments, Graph<FanInShape<Object, Object>, NotUsed> junction, Kind.Model model) {
        return Kind.of(
                name + " of three",
                "via(FanInKinds.joined(Junctions." + name + "(" + arguments + "), $1, $2))",
                (f, step, o) -> f.via(joined(junction, o.get(0), o.get(1))),
                model);
    }

    private static Kind concat(Dice dice) {
        return three(
                        "concat",
                        "3",
                        Junctions.concat(3),
                        (upstream, place, others) ->
                                JunctionKinds.chain(JunctionKinds.chain(upstream, others.get(0)), others.get(1)))
                .with(2, Kind.Trait.AHEAD);
    }

    private static Kind concatDelayError(Dice dice) {
        return three("concatDelayError", "3", Junctions.concatDelayError(3), (upstream, place, others) -> {
                    List<Failed> delayed = new ArrayList<>();
                    Pull two = JunctionKinds.chain(
                            JunctionKinds.delaying(upstream, delayed),
                            () -> JunctionKinds.delaying(others.get(0).get(), delayed));
                    Pull all = JunctionKinds.chain(
                            two, () -> JunctionKinds.delaying(others.get(1).get(), delayed));
                    return JunctionKinds.raising(all, delayed);
                })
                .with(2, Kind.Trait.AHEAD);
    }

    private static List<List<Object>> rest(Pull upstream, List<Supplier<Pull>> others) {
        List<List<Object>> all = new ArrayList<>(List.of(upstream.rest()));
        others.forEach(other -> all.add(other.get().rest()));
        return all;
    }

    private static Kind interleave(Dice dice) {
        int segment = dice.from(1, 4);
        boolean isEager = dice.oneIn(2);
        return three(
                        "interleave",
                        "3, " + segment + ", " + isEager,
                        Junctions.interleave(3, segment, isEager),
                        (upstream, place, others) ->
                                Pull.lazily(() -> interleaved(rest(upstream, others), segment, isEager)))
                .with(2, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static List<Object> interleaved(List<List<Object>> lists, int segment, boolean isEager) {
        List<Object> all = new ArrayList<>();
        List<Iterator<Object>> left =
                new ArrayList<>(lists.stream().map(List::iterator).toList());
        int at = 0;
        while (left.stream().anyMatch(Iterator::hasNext)) {
            Iterator<Object> own = left.get(at);
            for (int i = 0; i < segment && (own.hasNext() || isEager); i++) {
                if (!own.hasNext()) {
                    return all;
                }
                all.add(own.next());
            }
            at = (at + 1) % left.size();
        }
        return all;
    }

    private static Kind mergeSorted(Dice dice) {
        return three(
                        "mergeSorted",
                        "3, JunctionKinds::order",
                        Junctions.mergeSorted(3, JunctionKinds::order),
                        (upstream, place, others) -> Pull.lazily(() -> mergedSorted(rest(upstream, others))))
                .with(2, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    /** The least of the first elements that are left, whether the lists are sorted or not. */
    private static List<Object> mergedSorted(List<List<Object>> lists) {
        List<List<Object>> left = new ArrayList<>();
        lists.forEach(list -> left.add(new ArrayList<>(list)));
        List<Object> merged = new ArrayList<>();
        while (true) {
            List<Object> least = null;
            for (List<Object> list : left) {
                if (!list.isEmpty() && (least == null || JunctionKinds.order(list.get(0), least.get(0)) < 0)) {
                    least = list;
                }
            }
            if (least == null) {
                return merged;
            }
            merged.add(least.remove(0));
        }
    }

    /** The flow and the two sources, each with a mark on its elements. */
    private static Flow<Object, Object, ?> marked(
            Flow<Object, Object, ?> flow,
            Graph<FanInShape<Object, Object>, NotUsed> junction,
            List<Source<Object, ?>> others) {
        return flow.map(x -> (Object) List.of(1, x))
                .via(joined(
                        junction,
                        others.get(0).map(x -> List.of(2, x)),
                        others.get(1).map(x -> List.of(3, x))));
    }

    private static String markedText(PartKinds.Merge merge) {
        return "map(x -> (Object) List.of(1, x)).via(FanInKinds.joined(PartKinds.Merge." + merge
                + ".three(), $1.map(x -> (Object) List.of(2, x)), $2.map(x -> (Object) List.of(3, x))))";
    }

    private static List<Object> present(List<? extends List<Object>> lists) {
        return List.of(lists.stream().filter(list -> !list.isEmpty()).toList());
    }

    private static Kind merge(Dice dice) {
        PartKinds.Merge merge = PartKinds.Merge.drawn(dice);
        return Kind.of(
                        "merge of three",
                        markedText(merge) + ".fold((Object) List.of(), Lists::add).map(Lists::byMark)",
                        (f, step, o) -> marked(f, merge.three(), o)
                                .fold((Object) List.of(), Lists::add)
                                .map(Lists::byMark),
                        (upstream, place, others) -> Pull.lazily(() -> present(rest(upstream, others))))
                .with(2, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    /** All elements come, and then the failure, if there is but one. */
    private static Kind mergeDelayError(Dice dice) {
        return Kind.of(
                        "mergeDelayError of three",
                        markedText(PartKinds.Merge.DELAY_ERROR)
                                + ".recover(failure -> List.of(4, Fault.told(failure)))"
                                + ".fold((Object) List.of(), Lists::add).map(Lists::byMark)",
                        (f, step, o) -> marked(f, PartKinds.Merge.DELAY_ERROR.three(), o)
                                .recover(failure -> List.of(4, Fault.told(failure)))
                                .fold((Object) List.of(), Lists::add)
                                .map(Lists::byMark),
                        (upstream, place, others) -> Pull.lazily(() -> {
                            List<Failed> delayed = new ArrayList<>();
                            List<List<Object>> all = rest(
                                    JunctionKinds.delaying(upstream, delayed),
                                    others.stream()
                                            .<Supplier<Pull>>map(
                                                    other -> () -> JunctionKinds.delaying(other.get(), delayed))
                                            .toList());
                            if (delayed.size() > 1) {
                                place.run().open();
                            }
                            delayed.stream()
                                    .findFirst()
                                    .ifPresent(failed -> all.add(List.of(Fault.told(failed.failure()))));
                            return present(all);
                        }))
                .with(2, Kind.Trait.AHEAD);
    }

    /** All but the last list is open. */
    private static Kind mergeLatest(Dice dice) {
        return Kind.of(
                        "mergeLatest of three",
                        "via(FanInKinds.joined(Junctions.mergeLatest(3), $1, $2)).fold((Object) List.of(), (a, x) ->"
                                + " x)",
                        (f, step, o) -> f.via(joined(Junctions.<Object>mergeLatest(3), o.get(0), o.get(1)))
                                .fold((Object) List.of(), (a, x) -> x),
                        (upstream, place, others) -> Pull.lazily(() -> {
                            List<List<Object>> all = rest(upstream, others);
                            return List.of(
                                    all.contains(List.of())
                                            ? List.of()
                                            : all.stream()
                                                    .map(list -> list.get(list.size() - 1))
                                                    .toList());
                        }))
                .with(2, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    /** The others leave the race, one with a failure that is told if nobody wins. */
    private static Kind firstOf(Dice dice) {
        return Kind.of(
                        "firstOf",
                        "via(FanInKinds.joined(Junctions.firstOf(3), Source.empty(), "
                                + "Source.failed(new IllegalStateException(\"from outside\"))))",
                        (f, step, o) -> f.via(joined(
                                Junctions.<Object>firstOf(3),
                                Source.empty(),
                                Source.failed(new IllegalStateException("from outside")))),
                        (upstream, place, others) -> {
                            boolean[] won = {false};
                            return () -> {
                                Object x = upstream.next();
                                if (x == null && !won[0]) {
                                    throw new Failed(new IllegalStateException("from outside"), null);
                                }
                                won[0] = true;
                                return x;
                            };
                        })
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static Kind zipN(Dice dice) {
        return Kind.of(
                        "zipN",
                        "concat(Source.zipN(List.of($1, $2)).map(all -> (Object) all))",
                        (f, step, o) -> f.concat(Source.zipN(o).map(all -> (Object) all)),
                        (upstream, place, others) ->
                                JunctionKinds.chain(upstream, () -> zipped(place, others, Fault.NONE)))
                .with(2, Kind.Trait.AHEAD);
    }

    private static Kind zipWithN(Dice dice) {
        Fault fault = dice.fault();
        return Kind.of(
                        "zipWithN",
                        "concat(Source.<Object, Object>zipWithN(List.of($1, $2), all -> "
                                + fault.text("$0", "all.get(0)", "all") + "))",
                        (f, step, o) ->
                                f.concat(Source.<Object, Object>zipWithN(o, all -> fault.of(step, all.get(0), all))),
                        (upstream, place, others) -> JunctionKinds.chain(upstream, () -> zipped(place, others, fault)))
                .with(2, Kind.Trait.AHEAD);
    }

    private static Pull zipped(Place place, List<Supplier<Pull>> others, Fault fault) {
        Pull first = place.run().overtaking(others.get(0).get());
        Pull second = place.run().overtaking(others.get(1).get());
        return new Pull() {
            @Override
            public @Nullable Object next() {
                while (true) {
                    Object x = first.next();
                    Object y = x == null ? null : second.next();
                    if (x == null || y == null) {
                        return null;
                    }
                    try {
                        return place.present(fault.of(place.step(), x, List.of(x, y)));
                    } catch (Throwable thrown) {
                        place.losesState(thrown);
                    }
                }
            }
        };
    }

    private static Kind concatAll(Dice dice) {
        return Kind.of(
                        "concatAll",
                        "concat(Source.concatAll(List.of($1, $2)))",
                        (f, step, o) -> f.concat(Source.concatAll(o)),
                        (upstream, place, others) ->
                                JunctionKinds.chain(JunctionKinds.chain(upstream, others.get(0)), others.get(1)))
                .with(2, Kind.Trait.AHEAD);
    }

    private static Kind mergeAll(Dice dice) {
        return Kind.of(
                        "mergeAll",
                        "concat(Source.mergeAll(List.of($1, $2)).fold((Object) List.of(),"
                                + " Lists::add).map(Lists::sorted))",
                        (f, step, o) -> f.concat(Source.mergeAll(o)
                                .fold((Object) List.of(), Lists::add)
                                .map(Lists::sorted)),
                        (upstream, place, others) -> JunctionKinds.chain(
                                upstream,
                                () -> Pull.lazily(() -> {
                                    Pull all = JunctionKinds.chain(
                                            place.run().overtaking(others.get(0).get()),
                                            () -> place.run()
                                                    .overtaking(others.get(1).get()));
                                    return List.of(Lists.sorted(all.rest()));
                                })))
                .with(2, Kind.Trait.AHEAD);
    }
}
