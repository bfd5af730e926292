package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Signal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Operators that change elements one by one. */
final class ElementKinds {
    static final List<Function<Dice, Kind>> ALL = List.of(
            ElementKinds::map,
            ElementKinds::doOnNext,
            ElementKinds::filter,
            ElementKinds::filterNot,
            ElementKinds::mapConcat,
            ElementKinds::faultyMapConcat,
            ElementKinds::statefulMap,
            ElementKinds::mapWithResource,
            ElementKinds::scan,
            ElementKinds::fold,
            ElementKinds::reduce,
            ElementKinds::zipWithIndex,
            ElementKinds::distinct,
            ElementKinds::dropRepeated,
            ElementKinds::collectType,
            ElementKinds::materialize,
            ElementKinds::timestamp,
            ElementKinds::intersperse);

    private ElementKinds() {}

    static Kind map(Dice dice) {
        Change change = dice.change();
        Fault fault = dice.fault();
        return Kind.of(
                "map",
                "map(x -> " + fault.text("$0", "Change." + change + ".of(x)") + ")",
                (f, step, o) -> f.map(x -> fault.of(step, x, change.of(x))),
                Steps.each((x, place) -> fault.of(place.step(), x, change.of(x))));
    }

    private static Kind doOnNext(Dice dice) {
        Fault fault = dice.thrown();
        return Kind.of(
                "doOnNext",
                "doOnNext(x -> " + fault.text("$0", "x") + ")",
                (f, step, o) -> f.doOnNext(x -> fault.of(step, x, x)),
                Steps.each((x, place) -> fault.of(place.step(), x, x)));
    }

    private static Kind filter(Dice dice) {
        Condition condition = Condition.drawn(dice, 5, false);
        return condition.kind("filter", Flow::filter, passing(condition, true));
    }

    private static Kind filterNot(Dice dice) {
        Condition condition = Condition.drawn(dice, 3, true);
        return condition.kind("filterNot", Flow::filterNot, passing(condition, false));
    }

    private static Kind.Model passing(Condition condition, boolean wanted) {
        return Steps.each((x, place) -> condition.holds(place.step(), x) == wanted ? x : Steps.NOTHING);
    }

    private static Kind mapConcat(Dice dice) {
        Fault fault = dice.fault();
        return Kind.of(
                        "mapConcat",
                        "mapConcat(x -> " + fault.text("$0", "Change.some(x)") + ")",
                        (f, step, o) -> f.mapConcat(x -> fault.of(step, x, Change.some(x))),
                        Steps.model(place -> new Steps() {
                            @Override
                            void take(Object x) throws Exception {
                                Iterable<?> some = fault.of(place.step(), x, Change.some(x));
                                ((Iterable<?>) place.present(some)).forEach(out::add);
                            }
                        }))
                .with(0, Kind.Trait.HOLDS);
    }

    private static Kind faultyMapConcat(Dice dice) {
        Fault fault = dice.thrown();
        int good = dice.below(3);
        return Kind.of(
                        "mapConcat",
                        "<Object>mapConcat(x -> Faulty.iterable(x, " + good + ", n -> " + fault.text("$0", "n") + "))",
                        (f, step, o) -> f.<Object>mapConcat(x -> Faulty.iterable(x, good, n -> fault.of(step, x, n))),
                        (upstream, place, others) -> new Pull() {
                            private @Nullable Iterator<Object> some;

                            @Override
                            public @Nullable Object next() {
                                while (true) {
                                    if (some == null) {
                                        Object x = upstream.next();
                                        if (x == null) {
                                            return null;
                                        }
                                        some = Faulty.iterable(x, good, n -> fault.of(place.step(), x, n))
                                                .iterator();
                                    }
                                    try {
                                        if (some.hasNext()) {
                                            return some.next();
                                        }
                                    } catch (Throwable thrown) {
                                        place.losesState(thrown);
                                    }
                                    some = null;
                                }
                            }
                        })
                .with(0, Kind.Trait.HOLDS);
    }

    private static Kind statefulMap(Dice dice) {
        Fault fault = dice.fault();
        boolean tells = dice.oneIn(2);
        return Kind.of(
                "statefulMap",
                "statefulMap(() -> 0, (n, x) -> new Pair<>(n + 1, "
                        + fault.text("$0", "(Object) Change.both(n, x)") + "), n -> "
                        + (tells ? "Optional.of(n)" : "Optional.empty()") + ")",
                (f, step, o) -> f.<Integer, Object>statefulMap(
                        () -> 0,
                        (n, x) -> new Pair<>(n + 1, fault.of(step, x, Change.both(n, x))),
                        n -> tells ? Optional.of(n) : Optional.empty()),
                Steps.model(place -> new Steps() {
                    private int count;

                    @Override
                    void take(Object x) throws Exception {
                        out.add(place.present(fault.of(place.step(), x, Change.both(count, x))));
                        count++;
                    }

                    @Override
                    void end() {
                        if (tells) {
                            out.add(count);
                        }
                    }
                }));
    }

    private static Kind mapWithResource(Dice dice) {
        Fault fault = dice.fault();
        return Kind.of(
                "mapWithResource",
                "mapWithResource(() -> 7, (r, x) -> " + fault.text("$0", "Change.both(r, x)")
                        + ", r -> Optional.of(r))",
                (f, step, o) -> f.<Integer, Object>mapWithResource(
                        () -> 7, (r, x) -> fault.of(step, x, Change.both(r, x)), r -> Optional.of(r)),
                Steps.model(place -> new Steps() {
                    @Override
                    void take(Object x) throws Exception {
                        out.add(place.present(fault.of(place.step(), x, Change.both(7, x))));
                    }

                    @Override
                    void end() {
                        out.add(7);
                    }
                }));
    }

    private static Kind scan(Dice dice) {
        Fault fault = dice.fault();
        return Kind.of(
                        "scan",
                        "scan((Object) 5, (a, x) -> " + fault.text("$0", "Change.both(a, x)") + ")",
                        (f, step, o) -> f.scan((Object) 5, (a, x) -> fault.of(step, x, Change.both(a, x))),
                        (upstream, place, others) -> {
                            boolean[] begun = {false};
                            Pull rest = folding(fault, 5, true).over(upstream, place, others);
                            return () -> {
                                if (begun[0]) {
                                    return rest.next();
                                }
                                begun[0] = true;
                                return 5;
                            };
                        })
                .with(0, Kind.Trait.HOLDS);
    }

    private static Kind fold(Dice dice) {
        Fault fault = dice.fault();
        return Kind.of(
                "fold",
                "fold((Object) 5, (a, x) -> " + fault.text("$0", "Change.both(a, x)") + ")",
                (f, step, o) -> f.fold((Object) 5, (a, x) -> fault.of(step, x, Change.both(a, x))),
                folding(fault, 5, false));
    }

    private static Kind reduce(Dice dice) {
        Fault fault = dice.fault();
        return Kind.of(
                        "reduce",
                        "reduce((a, x) -> " + fault.text("$0", "Change.both(a, x)") + ")",
                        (f, step, o) -> f.reduce((a, x) -> fault.of(step, x, Change.both(a, x))),
                        folding(fault, null, false))
                .with(0, Kind.Trait.FAILS_AT_END);
    }

    /** Adds up, from a zero or the first element on; tells each result or the last. */
    static Kind.Model folding(Fault fault, @Nullable Object zero, boolean tellsEach) {
        return Steps.model(place -> new Steps() {
            private @Nullable Object sum = zero;

            @Override
            void take(Object x) throws Exception {
                Object before = sum;
                sum = before == null ? x : place.present(fault.of(place.step(), x, Change.both(before, x)));
                if (tellsEach) {
                    out.add(sum);
                }
            }

            @Override
            void end() {
                Object last = sum;
                if (last == null) {
                    throw new NoSuchElementException();
                }
                if (!tellsEach) {
                    out.add(last);
                }
            }
        });
    }

    private static Kind zipWithIndex(Dice dice) {
        return Kind.of(
                "zipWithIndex",
                "zipWithIndex().map(p -> (Object) List.of(p.first(), p.second()))",
                (f, step, o) -> f.zipWithIndex().map(p -> List.of(p.first(), p.second())),
                Steps.model(place -> new Steps() {
                    private long index;

                    @Override
                    void take(Object x) {
                        out.add(List.of(x, index++));
                    }
                }));
    }

    private static Kind distinct(Dice dice) {
        Fault fault = dice.fault();
        int modulus = dice.from(2, 20);
        return Kind.of(
                "distinct",
                "distinct(x -> " + fault.text("$0", "Fault.hash(x, " + modulus + ")") + ")",
                (f, step, o) -> f.distinct(x -> fault.of(step, x, Fault.hash(x, modulus))),
                Steps.model(place -> new Steps() {
                    private final Set<Object> seen = new HashSet<>();

                    @Override
                    void take(Object x) throws Exception {
                        Integer key = fault.of(place.step(), x, (Integer) Fault.hash(x, modulus));
                        if (seen.add(place.present(key))) {
                            out.add(x);
                        }
                    }
                }));
    }

    private static Kind dropRepeated(Dice dice) {
        Fault fault = dice.fault();
        return Kind.of(
                "dropRepeated",
                "dropRepeated((a, x) -> " + fault.text("$0", "Fault.hash(a, 3) == Fault.hash(x, 3)") + ")",
                (f, step, o) -> f.dropRepeated((a, x) -> fault.of(step, x, Fault.hash(a, 3) == Fault.hash(x, 3))),
                Steps.model(place -> new Steps() {
                    private @Nullable Object last;

                    @Override
                    void take(Object x) throws Exception {
                        Object before = last;
                        if (before == null || !isSame(before, x)) {
                            last = x;
                            out.add(x);
                        }
                    }

                    private boolean isSame(Object before, Object x) throws Exception {
                        Boolean same = fault.of(place.step(), x, (Boolean) (Fault.hash(before, 3) == Fault.hash(x, 3)));
                        return (Boolean) place.present(same);
                    }
                }));
    }

    private static Kind collectType(Dice dice) {
        return Kind.of(
                "collectType",
                "collectType(Number.class).map(x -> (Object) x)",
                (f, step, o) -> f.collectType(Number.class).map(x -> (Object) x),
                Steps.each((x, place) -> x instanceof Number ? x : Steps.NOTHING));
    }

    private static Kind materialize(Dice dice) {
        return Kind.of(
                "materialize",
                "materialize().dematerialize(signal -> signal)",
                (f, step, o) -> f.materialize().dematerialize((Signal<Object> signal) -> signal),
                (upstream, place, others) -> upstream);
    }

    private static Kind timestamp(Dice dice) {
        return Kind.of(
                "timestamp",
                "timestamp().map(stamped -> stamped.element())",
                (f, step, o) -> f.timestamp().map(stamped -> stamped.element()),
                (upstream, place, others) -> upstream);
    }

    private static Kind intersperse(Dice dice) {
        return Kind.of(
                        "intersperse",
                        "intersperse(\"[\", \",\", \"]\")",
                        (f, step, o) -> f.intersperse("[", ",", "]"),
                        (upstream, place, others) -> {
                            List<Object> ahead = new ArrayList<>(List.of("["));
                            int[] state = {0};
                            return () -> {
                                if (!ahead.isEmpty()) {
                                    return ahead.remove(0);
                                }
                                Object x = state[0] == 2 ? null : upstream.next();
                                if (x == null) {
                                    int before = state[0];
                                    state[0] = 2;
                                    return before == 2 ? null : "]";
                                }
                                if (state[0] == 1) {
                                    ahead.add(x);
                                }
                                return state[0]++ == 0 ? x : between(state);
                            };
                        })
                .with(0, Kind.Trait.HOLDS);
    }

    private static Object between(int[] state) {
        state[0] = 1;
        return ",";
    }
}
