package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.Source;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Operators of which it is open what they let through, but not how that hangs together. */
final class LatestKinds {
    private static final Duration SOON = Duration.ofNanos(50_000);
    private static final String SOON_TEXT = "Duration.ofNanos(50_000)";

    static final List<Function<Dice, Kind>> ALL = List.of(
            dice -> alone("dropWithin", "dropWithin(" + SOON_TEXT + ")", f -> f.dropWithin(SOON), Order.TAIL),
            dice -> alone("takeWithin", "takeWithin(" + SOON_TEXT + ")", f -> f.takeWithin(SOON), Order.HEAD),
            dice -> alone("debounce", "debounce(" + SOON_TEXT + ")", f -> f.debounce(SOON), Order.TO_THE_LAST),
            dice -> alone("sample", "sample(" + SOON_TEXT + ")", f -> f.sample(SOON), Order.TO_THE_LAST),
            dice -> alone(
                    "throttleLatest",
                    "throttleLatest(" + SOON_TEXT + ")",
                    f -> f.throttleLatest(SOON),
                    Order.TO_THE_LAST),
            dice -> alone(
                    "throttleFirst", "throttleFirst(" + SOON_TEXT + ")", f -> f.throttleFirst(SOON), Order.FROM_0),
            LatestKinds::buffer,
            LatestKinds::delay,
            dice -> beside("takeUntil", "takeUntil($1)", (f, o) -> f.takeUntil(o), Order.HEAD),
            dice -> beside("skipUntil", "skipUntil($1)", (f, o) -> f.skipUntil(o), Order.TAIL),
            dice -> beside(
                    "zipLatest",
                    "zipLatest($1).map(Pair::first).dropRepeated()",
                    (f, o) -> f.zipLatest(o).map(pair -> pair.first()).dropRepeated(),
                    Order.KEPT),
            dice -> beside(
                    "zipLatestWith",
                    "zipLatestWith($1, (x, y) -> x).dropRepeated()",
                    (f, o) -> f.zipLatestWith(o, (x, y) -> x).dropRepeated(),
                    Order.KEPT),
            dice -> beside(
                    "withLatestFrom",
                    "withLatestFrom($1).map(Pair::first)",
                    (f, o) -> f.withLatestFrom(o).map(pair -> pair.first()),
                    Order.TAIL),
            LatestKinds::mergeLatest);

    private LatestKinds() {}

    /** How numbered elements, of which the last is a text, hang together; none is missing unless it says so. */
    enum Order {
        /** They begin with the first. */
        HEAD,
        /** They end with the last, or there are none. */
        TAIL,
        /** They begin with the first, and any may be missing between them. */
        FROM_0,
        /** Any may be missing but the last. */
        TO_THE_LAST,
        /** Any may be missing. */
        KEPT;

        /** Whether these hang together so. */
        @SuppressWarnings("unchecked")
        boolean holds(Object list) {
            List<Pair<Object, Long>> all = (List<Pair<Object, Long>>) list;
            for (int i = 1; i < all.size(); i++) {
                long gap = all.get(i).second() - all.get(i - 1).second();
                if (gap < 1 || (gap > 1 && (this == HEAD || this == TAIL))) {
                    return false;
                }
            }
            boolean isFirst = !all.isEmpty() && all.get(0).second() == 0;
            boolean isLast = !all.isEmpty() && all.get(all.size() - 1).first().equals("end");
            return switch (this) {
                case HEAD -> all.isEmpty() || isFirst;
                case TAIL -> all.isEmpty() || isLast;
                case FROM_0 -> isFirst;
                case TO_THE_LAST -> isLast;
                case KEPT -> true;
            };
        }
    }

    /** The way through one operator, and how what comes of it hangs together. */
    static Kind alone(
            String operator,
            String text,
            Function<Flow<Object, Pair<Object, Long>, ?>, Flow<Object, Pair<Object, Long>, ?>> way,
            Order order) {
        return ordered(operator, text, (f, others) -> way.apply(f), order)
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static Kind beside(
            String operator,
            String text,
            BiFunction<Flow<Object, Pair<Object, Long>, ?>, Source<Object, ?>, Flow<Object, Pair<Object, Long>, ?>> way,
            Order order) {
        return ordered(operator, text, (f, others) -> way.apply(f, others.get(0)), order)
                .with(1, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static Kind ordered(
            String operator,
            String text,
            BiFunction<
                            Flow<Object, Pair<Object, Long>, ?>,
                            List<Source<Object, ?>>,
                            Flow<Object, Pair<Object, Long>, ?>>
                    way,
            Order order) {
        return Kind.of(
                operator,
                "concat(Source.single((Object) \"end\")).zipWithIndex()." + text
                        + ".fold((Object) List.of(), Lists::add).map(LatestKinds.Order." + order + "::holds)",
                (f, step, o) -> way.apply(
                                f.concat(Source.single((Object) "end")).zipWithIndex(), o)
                        .fold((Object) List.of(), Lists::add)
                        .map(all -> (Object) order.holds(all)),
                (upstream, place, others) -> Pull.lazily(() -> {
                    upstream.rest();
                    others.forEach(other -> other.get().rest());
                    return List.of(true);
                }));
    }

    @SuppressWarnings("unchecked")
    private static Kind mergeLatest(Dice dice) {
        return beside(
                "mergeLatest",
                "map(x -> (Object) x).mergeLatest($1).map(all -> (Pair<Object, Long>) all.get(0)).dropRepeated()",
                (f, o) -> f.map(x -> (Object) x)
                        .mergeLatest(o)
                        .map(all -> (Pair<Object, Long>) all.get(0))
                        .dropRepeated(),
                Order.TAIL);
    }

    private static OverflowStrategy dropping(Dice dice) {
        return dice.of(List.of(
                OverflowStrategy.DROP_HEAD,
                OverflowStrategy.DROP_TAIL,
                OverflowStrategy.DROP_NEW,
                OverflowStrategy.DROP_BUFFER));
    }

    /** The element that has just come is dropped by one of the strategies alone. */
    private static Order left(OverflowStrategy strategy) {
        return strategy == OverflowStrategy.DROP_NEW ? Order.KEPT : Order.TO_THE_LAST;
    }

    private static Kind buffer(Dice dice) {
        int capacity = dice.from(1, 9);
        OverflowStrategy strategy = dropping(dice);
        return alone(
                "buffer dropping",
                "buffer(" + capacity + ", OverflowStrategy." + strategy + ")",
                f -> f.buffer(capacity, strategy),
                left(strategy));
    }

    private static Kind delay(Dice dice) {
        int capacity = dice.from(1, 9);
        OverflowStrategy strategy = dropping(dice);
        return alone(
                "delay dropping",
                "delay(" + SOON_TEXT + ", " + capacity + ", OverflowStrategy." + strategy + ")",
                f -> f.delay(SOON, capacity, strategy),
                left(strategy));
    }
}
