package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.GraphBuilder;
import io.millrace.streams.Junctions;
import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.graph.FanInShape2;
import io.millrace.streams.graph.FanOutShape;
import io.millrace.streams.graph.FanOutShape2;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Junctions wired by hand, which let a stream go several ways and bring it together again. */
final class PartKinds {
    static final List<Function<Dice, Kind>> ALL = List.of(
            PartKinds::zipped,
            PartKinds::merged,
            PartKinds::partitioned,
            PartKinds::sequenced,
            PartKinds::unzipped,
            PartKinds::balanced);

    private PartKinds() {}

    private static <T> Flow<T, T, ?> part(Function<GraphBuilder<NotUsed>, FlowShape<T, T>> block) {
        return Flow.fromGraph(GraphBuilder.create(block));
    }

    private static Kind zipped(Dice dice) {
        Fault fault = dice.fault();
        boolean isEager = dice.oneIn(2);
        return Kind.of(
                        "broadcast and zipWith",
                        "via(PartKinds.zipped(\"$0\", " + fault.text() + ", " + isEager + "))",
                        (f, step, o) -> f.via(zipped(step, fault, isEager)),
                        Steps.each((x, place) -> fault.of(place.step(), x, Change.both(x, Change.WIDER.of(x)))))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    static Flow<Object, Object, ?> zipped(String step, Fault fault, boolean isEager) {
        return part(builder -> {
            FanOutShape<Object, Object> split = builder.add(Junctions.<Object>broadcast(2, isEager));
            FanInShape2<Object, Object, Object> join = builder.add(
                    Junctions.<Object, Object, Object>zipWith((x, y) -> fault.of(step, x, Change.both(x, y))));
            builder.connect(split.out(0), join.in0());
            builder.connect(builder.connect(split.out(1), Flow.<Object, Object>of(Change.WIDER::of)), join.in1());
            return FlowShape.of(split.in(), join.out());
        });
    }

    /** Junctions that merge three inputs. */
    enum Merge {
        MERGE,
        PREFERRED,
        PRIORITIZED,
        DELAY_ERROR;

        Graph<FanInShape<Object, Object>, NotUsed> three() {
            return switch (this) {
                case MERGE -> Junctions.merge(3);
                case PREFERRED -> Junctions.mergePreferred(3);
                case PRIORITIZED -> Junctions.mergePrioritized(3, 1, 2);
                case DELAY_ERROR -> Junctions.mergeDelayError(3);
            };
        }

        static Merge drawn(Dice dice) {
            return dice.of(List.of(values()));
        }
    }

    private static Flow<Object, Object, NotUsed> marking(int mark) {
        return Flow.of(x -> List.of(mark, x));
    }

    private static Kind merged(Dice dice) {
        Merge merge = Merge.drawn(dice);
        return Kind.of(
                        "broadcast and merge",
                        "via(PartKinds.merged(PartKinds.Merge." + merge
                                + ")).fold((Object) List.of(), Lists::add).map(Lists::byMark)",
                        (f, step, o) -> f.via(merged(merge))
                                .fold((Object) List.of(), Lists::add)
                                .map(Lists::byMark),
                        (upstream, place, others) -> Pull.lazily(() -> {
                            List<Object> all = upstream.rest();
                            List<Object> some = all.stream()
                                    .filter(x -> Fault.hash(x, 2) == 1)
                                    .toList();
                            List<Object> lists = new ArrayList<>(List.of(all, some, all));
                            lists.removeIf(List.of()::equals);
                            return List.of(lists);
                        }))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    static Flow<Object, Object, ?> merged(Merge merge) {
        return part(builder -> {
            FanOutShape<Object, Object> split = builder.add(Junctions.<Object>broadcast(3));
            FanInShape<Object, Object> join = builder.add(merge.three());
            builder.connect(builder.connect(split.out(0), marking(0)), join.in(0));
            builder.connect(
                    builder.connect(
                            split.out(1),
                            Flow.<Object>create()
                                    .filter(x -> Fault.hash(x, 2) == 1)
                                    .via(marking(1))),
                    join.in(1));
            builder.connect(builder.connect(split.out(2), marking(2).async()), join.in(2));
            return FlowShape.of(split.in(), join.out());
        });
    }

    private static Kind partitioned(Dice dice) {
        Fault fault = dice.fault();
        Merge merge = Merge.drawn(dice);
        return Kind.of(
                        "partition and merge",
                        "via(PartKinds.partitioned(\"$0\", " + fault.text() + ", PartKinds.Merge." + merge
                                + ")).fold((Object) List.of(), Lists::add).map(Lists::byMark)",
                        (f, step, o) -> f.via(partitioned(step, fault, merge))
                                .fold((Object) List.of(), Lists::add)
                                .map(Lists::byMark),
                        SubstreamKinds.groups(3, fault))
                .with(0, Kind.Trait.AHEAD);
    }

    static Flow<Object, Object, ?> partitioned(String step, Fault fault, Merge merge) {
        return part(builder -> {
            FanOutShape<Object, Object> split =
                    builder.add(Junctions.<Object>partition(3, x -> fault.of(step, x, (Integer) Fault.hash(x, 3))));
            FanInShape<Object, Object> join = builder.add(merge.three());
            for (int i = 0; i < 3; i++) {
                builder.connect(
                        builder.connect(split.out(i), i == 1 ? marking(i).async() : marking(i)), join.in(i));
            }
            return FlowShape.of(split.in(), join.out());
        });
    }

    private static Kind sequenced(Dice dice) {
        return Kind.of(
                        "partition and mergeSequence",
                        "zipWithIndex().via(PartKinds.sequenced()).map(Pair::first)",
                        (f, step, o) -> f.zipWithIndex().via(sequenced()).map(pair -> pair.first()),
                        (upstream, place, others) -> upstream)
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    static Flow<Pair<Object, Long>, Pair<Object, Long>, ?> sequenced() {
        return part(builder -> {
            FanOutShape<Pair<Object, Long>, Pair<Object, Long>> split = builder.add(
                    Junctions.<Pair<Object, Long>>partition(3, pair -> (Integer) Fault.hash(pair.first(), 3)));
            FanInShape<Pair<Object, Long>, Pair<Object, Long>> join =
                    builder.add(Junctions.<Pair<Object, Long>>mergeSequence(3, Pair::second));
            builder.connect(split.out(0), join.in(0));
            builder.connect(split.out(1), join.in(1));
            builder.connect(split.out(2), join.in(2));
            return FlowShape.of(split.in(), join.out());
        });
    }

    private static Kind unzipped(Dice dice) {
        Fault fault = dice.fault();
        return Kind.of(
                        "unzip and zip",
                        "via(PartKinds.unzipped(\"$0\", " + fault.text() + "))",
                        (f, step, o) -> f.via(unzipped(step, fault)),
                        Steps.each((x, place) ->
                                fault.of(place.step(), x, List.of(Change.TWICE.of(x), Change.TEXT.of(x)))))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    static Flow<Object, Object, ?> unzipped(String step, Fault fault) {
        return part(builder -> {
            FanOutShape2<Object, Object, Object> split = builder.add(Junctions.<Object, Object, Object>unzip(
                    x -> fault.of(step, x, new Pair<>(Change.TWICE.of(x), x))));
            FanInShape2<Object, Object, Pair<Object, Object>> join = builder.add(Junctions.<Object, Object>zip());
            builder.connect(split.out0(), join.in0());
            builder.connect(builder.connect(split.out1(), Flow.<Object, Object>of(Change.TEXT::of)), join.in1());
            return FlowShape.of(
                    split.in(),
                    builder.connect(
                            join.out(),
                            Flow.<Pair<Object, Object>, Object>of(pair -> List.of(pair.first(), pair.second()))));
        });
    }

    private static Kind balanced(Dice dice) {
        Merge merge = Merge.drawn(dice);
        return Kind.of(
                        "balance and merge",
                        "via(PartKinds.balanced(PartKinds.Merge." + merge
                                + ")).fold((Object) List.of(), Lists::add).map(Lists::sorted)",
                        (f, step, o) -> f.via(balanced(merge))
                                .fold((Object) List.of(), Lists::add)
                                .map(Lists::sorted),
                        (upstream, place, others) -> Pull.lazily(() -> List.of(Lists.sorted(
                                upstream.rest().stream().map(Change.TEXT::of).toList()))))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    static Flow<Object, Object, ?> balanced(Merge merge) {
        return part(builder -> {
            FanOutShape<Object, Object> split = builder.add(Junctions.<Object>balance(3));
            FanInShape<Object, Object> join = builder.add(merge.three());
            Flow<Object, Object, NotUsed> work = Flow.of(Change.TEXT::of);
            for (int i = 0; i < 3; i++) {
                builder.connect(builder.connect(split.out(i), i == 0 ? work : work.async()), join.in(i));
            }
            return FlowShape.of(split.in(), join.out());
        });
    }
}
