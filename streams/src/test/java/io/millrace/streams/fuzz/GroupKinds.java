package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.failure.StreamLimitReachedException;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;

/** Operators that let a part through, group elements, or hold them for a while. */
final class GroupKinds {
    private static final Duration DAY = Duration.ofDays(1);

    static final List<Function<Dice, Kind>> ALL = List.of(
            GroupKinds::take,
            GroupKinds::drop,
            GroupKinds::skipLast,
            GroupKinds::defaultIfEmpty,
            GroupKinds::takeWhile,
            GroupKinds::takeThrough,
            GroupKinds::takeUntil,
            GroupKinds::dropWhile,
            GroupKinds::limit,
            GroupKinds::limitWeighted,
            GroupKinds::grouped,
            GroupKinds::groupedWeighted,
            GroupKinds::sliding,
            GroupKinds::aggregateWithBoundary,
            GroupKinds::groupedWithin,
            GroupKinds::groupedWeightedWithin,
            dice -> batching("batch", "batch(3, List::of, Lists::add)", f -> f.<Object>batch(3, List::of, Lists::add)),
            dice -> batching(
                    "batchWeighted",
                    "batchWeighted(9, x -> Fault.hash(x, 4), List::of, Lists::add)",
                    f -> f.<Object>batchWeighted(9, x -> Fault.hash(x, 4), List::of, Lists::add)),
            dice -> batching(
                    "conflateWithSeed",
                    "conflateWithSeed(List::of, Lists::add)",
                    f -> f.<Object>conflateWithSeed(List::of, Lists::add)),
            dice -> batching(
                    "conflate",
                    "map(x -> (Object) List.of(x)).conflate(Lists::addAll)",
                    f -> f.map(x -> (Object) List.of(x)).conflate(Lists::addAll)),
            GroupKinds::buffer,
            GroupKinds::boundary,
            GroupKinds::timeouts);

    private GroupKinds() {}

    private static Kind take(Dice dice) {
        int count = dice.oneIn(3) ? dice.below(300) : dice.below(10);
        return Kind.of("take", "take(" + count + ")", (f, step, o) -> f.take(count), Steps.model(place -> new Steps() {
            private int left = count;

            {
                isDone = count == 0;
            }

            @Override
            void take(Object x) {
                out.add(x);
                left--;
                isDone = left == 0;
            }
        }));
    }

    private static Kind drop(Dice dice) {
        int count = dice.below(10);
        return Kind.of("drop", "drop(" + count + ")", (f, step, o) -> f.drop(count), Steps.model(place -> new Steps() {
            private int left = count;

            @Override
            void take(Object x) {
                if (left > 0) {
                    left--;
                } else {
                    out.add(x);
                }
            }
        }));
    }

    private static Kind skipLast(Dice dice) {
        int count = dice.below(10);
        return Kind.of(
                "skipLast",
                "skipLast(" + count + ")",
                (f, step, o) -> f.skipLast(count),
                Steps.model(place -> new Steps() {
                    private final Queue<Object> waiting = new ArrayDeque<>();

                    @Override
                    void take(Object x) {
                        waiting.add(x);
                        if (waiting.size() > count) {
                            out.add(waiting.remove());
                        }
                    }
                }));
    }

    private static Kind defaultIfEmpty(Dice dice) {
        return Kind.of(
                "defaultIfEmpty",
                "defaultIfEmpty(\"none\")",
                (f, step, o) -> f.defaultIfEmpty("none"),
                Steps.model(place -> new Steps() {
                    private boolean isEmpty = true;

                    @Override
                    void take(Object x) {
                        isEmpty = false;
                        out.add(x);
                    }

                    @Override
                    void end() {
                        if (isEmpty) {
                            out.add("none");
                        }
                    }
                }));
    }

    private static Kind takeWhile(Dice dice) {
        Condition condition = Condition.drawn(dice, 40, false);
        return condition.kind("takeWhile", Flow::takeWhile, until(condition, false));
    }

    private static Kind takeThrough(Dice dice) {
        Condition condition = Condition.drawn(dice, 40, false);
        return condition.kind("takeThrough", Flow::takeThrough, until(condition, true));
    }

    private static Kind takeUntil(Dice dice) {
        Condition condition = Condition.drawn(dice, 40, true);
        return condition.kind("takeUntil", Flow::takeUntil, until(condition, true));
    }

    /** Ends with the first element that is marked. */
    private static Kind.Model until(Condition condition, boolean inclusive) {
        return Steps.model(place -> new Steps() {
            @Override
            void take(Object x) throws Exception {
                isDone = condition.holds(place.step(), x) == condition.isOfMarked();
                if (!isDone || inclusive) {
                    out.add(x);
                }
            }
        });
    }

    private static Kind dropWhile(Dice dice) {
        Condition condition = Condition.drawn(dice, 10, false);
        return condition.kind("dropWhile", Flow::dropWhile, Steps.model(place -> new Steps() {
            private boolean isOpen;

            @Override
            void take(Object x) throws Exception {
                isOpen = isOpen || !condition.holds(place.step(), x);
                if (isOpen) {
                    out.add(x);
                }
            }
        }));
    }

    private static Kind.Model costing(long most, Fault fault, int modulus) {
        return Steps.model(place -> new Steps() {
            private long sum;

            @Override
            void take(Object x) throws Exception {
                long cost = modulus == 0 ? 1 : fault.of(place.step(), x, Fault.hash(x, modulus));
                if (sum + cost > most) {
                    throw new StreamLimitReachedException(most);
                }
                sum += cost;
                out.add(x);
            }
        });
    }

    private static Kind limit(Dice dice) {
        int most = dice.from(1, 40);
        return Kind.of("limit", "limit(" + most + ")", (f, step, o) -> f.limit(most), costing(most, Fault.NONE, 0));
    }

    private static Kind limitWeighted(Dice dice) {
        int most = dice.from(1, 200);
        Fault fault = dice.thrown();
        return Kind.of(
                "limitWeighted",
                "limitWeighted(" + most + ", x -> " + fault.text("$0", "Fault.hash(x, 4)") + ")",
                (f, step, o) -> f.limitWeighted(most, x -> fault.of(step, x, Fault.hash(x, 4))),
                costing(most, fault, 4));
    }

    private static Kind.Model groups(int size) {
        return Steps.model(place -> new Steps() {
            private final List<Object> group = new ArrayList<>();

            @Override
            void take(Object x) {
                group.add(x);
                if (group.size() == size) {
                    end();
                }
            }

            @Override
            void end() {
                if (!group.isEmpty()) {
                    out.add(List.copyOf(group));
                    group.clear();
                }
            }
        });
    }

    private static Kind grouped(Dice dice) {
        int size = dice.from(1, 6);
        return Kind.of(
                "grouped",
                "grouped(" + size + ").map(x -> (Object) x)",
                (f, step, o) -> f.grouped(size).map(x -> x),
                groups(size));
    }

    private static Kind groupedWithin(Dice dice) {
        int size = dice.from(1, 6);
        return Kind.of(
                        "groupedWithin",
                        "groupedWithin(" + size + ", DAY).map(x -> (Object) x)",
                        (f, step, o) -> f.groupedWithin(size, DAY).map(x -> x),
                        groups(size))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static Kind groupedWeighted(Dice dice) {
        int most = dice.from(1, 12);
        Fault fault = dice.thrown();
        return Kind.of(
                "groupedWeighted",
                "groupedWeighted(" + most + ", x -> " + fault.text("$0", "Fault.hash(x, 5)") + ").map(x -> (Object) x)",
                (f, step, o) -> f.groupedWeighted(most, x -> fault.of(step, x, Fault.hash(x, 5)))
                        .map(x -> x),
                weighted(most, fault, false));
    }

    /** The same, unless a long time passes. */
    private static Kind groupedWeightedWithin(Dice dice) {
        int most = dice.from(1, 12);
        Fault fault = dice.thrown();
        Kind.Model groups = weighted(most, fault, true);
        return Kind.of(
                        "groupedWeightedWithin",
                        "groupedWeightedWithin(" + most + ", DAY, x -> " + fault.text("$0", "Fault.hash(x, 5)")
                                + ").map(x -> (Object) x)",
                        (f, step, o) -> f.groupedWeightedWithin(most, DAY, x -> fault.of(step, x, Fault.hash(x, 5)))
                                .map(x -> x),
                        (upstream, place, others) -> place.run().overtaking(groups.over(upstream, place, others)))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    /** A first element that is heavy enough goes at once, or when the next has come; a group may be lasting. */
    private static Kind.Model weighted(int most, Fault fault, boolean isPrompt) {
        return Steps.model(place -> new Steps() {
            private final List<Object> group = new ArrayList<>();
            private long weight;

            {
                isLasting = isPrompt;
            }

            @Override
            void take(Object x) throws Exception {
                long own = fault.of(place.step(), x, Fault.hash(x, 5));
                boolean isFull = !group.isEmpty() && (weight >= most || weight + own > most);
                if (isFull) {
                    end();
                }
                group.add(x);
                weight += own;
                if (weight >= most && (isPrompt || !isFull)) {
                    end();
                }
            }

            @Override
            void end() {
                if (!group.isEmpty()) {
                    out.add(List.copyOf(group));
                    group.clear();
                    weight = 0;
                }
            }
        });
    }

    private static Kind sliding(Dice dice) {
        int size = dice.from(1, 5);
        int step = dice.from(1, 5);
        return Kind.of(
                "sliding",
                "sliding(" + size + ", " + step + ").map(x -> (Object) x)",
                (f, name, o) -> f.sliding(size, step).map(x -> x),
                Steps.model(place -> new Steps() {
                    private final ArrayDeque<Object> window = new ArrayDeque<>();
                    private int toSkip;
                    private boolean isNew;

                    @Override
                    void take(Object x) {
                        if (toSkip > 0) {
                            toSkip--;
                            return;
                        }
                        window.add(x);
                        isNew = true;
                        if (window.size() == size) {
                            end();
                            toSkip = Math.max(0, step - size);
                            for (int i = 0; i < Math.min(step, size); i++) {
                                window.remove();
                            }
                        }
                    }

                    @Override
                    void end() {
                        if (isNew) {
                            out.add(List.copyOf(window));
                        }
                        isNew = false;
                    }
                }));
    }

    private static Kind aggregateWithBoundary(Dice dice) {
        Fault fault = dice.fault();
        return Kind.of(
                "aggregateWithBoundary",
                "aggregateWithBoundary(() -> (Object) 3, (a, x) -> new Pair<>(" + fault.text("$0", "Change.both(a, x)")
                        + ", Fault.hash(x, 3) == 1), a -> a)",
                (f, step, o) -> f.<Object, Object>aggregateWithBoundary(
                        () -> 3,
                        (a, x) -> new Pair<>(fault.of(step, x, Change.both(a, x)), Fault.hash(x, 3) == 1),
                        a -> a),
                Steps.model(place -> new Steps() {
                    private Object sum = 3;
                    private boolean isBegun;

                    @Override
                    void take(Object x) throws Exception {
                        Object next = place.present(fault.of(place.step(), x, Change.both(sum, x)));
                        isBegun = Fault.hash(x, 3) != 1;
                        if (isBegun) {
                            sum = next;
                        } else {
                            sum = 3;
                            out.add(next);
                        }
                    }

                    @Override
                    void end() {
                        if (isBegun) {
                            out.add(sum);
                        }
                    }
                }));
    }

    /** How much comes at once is open, all of it is not. */
    private static Kind batching(
            String operator, String text, Function<Flow<Object, Object, ?>, Flow<Object, Object, ?>> batch) {
        return Kind.of(
                        operator,
                        text + ".fold((Object) List.of(), Lists::addAll)",
                        (f, step, o) -> batch.apply(f).fold((Object) List.of(), Lists::addAll),
                        (upstream, place, others) -> Pull.lazily(() -> List.of(upstream.rest())))
                .with(0, Kind.Trait.AHEAD);
    }

    private static Kind buffer(Dice dice) {
        int capacity = dice.from(1, 9);
        return Kind.of(
                        "buffer",
                        "buffer(" + capacity + ", OverflowStrategy.BACKPRESSURE)",
                        (f, step, o) -> f.buffer(capacity, OverflowStrategy.BACKPRESSURE),
                        (upstream, place, others) -> upstream)
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static Kind boundary(Dice dice) {
        return Kind.of(
                        "async",
                        "map(x -> x).async()",
                        (f, step, o) -> f.map(x -> x).async(),
                        (upstream, place, others) -> upstream)
                .with(0, Kind.Trait.AHEAD);
    }

    private static Kind timeouts(Dice dice) {
        return Kind.of(
                        "timeout",
                        "timeout(DAY).idleTimeout(DAY).initialTimeout(DAY).completionTimeout(DAY).backpressureTimeout(DAY).takeWithin(DAY).keepAlive(DAY,"
                                + " () -> \"idle\").initialDelay(Duration.ZERO)",
                        (f, step, o) -> f.timeout(DAY)
                                .idleTimeout(DAY)
                                .initialTimeout(DAY)
                                .completionTimeout(DAY)
                                .backpressureTimeout(DAY)
                                .takeWithin(DAY)
                                .keepAlive(DAY, () -> "idle")
                                .initialDelay(Duration.ZERO),
                        (upstream, place, others) -> upstream)
                .with(0, Kind.Trait.AHEAD);
    }
}
