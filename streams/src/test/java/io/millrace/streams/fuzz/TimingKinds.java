package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.Source;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrottleMode;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Operators of rate and time, with such times that what they give is definite. */
final class TimingKinds {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration SOON = Duration.ofNanos(50_000);
    private static final String SOON_TEXT = "Duration.ofNanos(50_000)";

    static final List<Function<Dice, Kind>> ALL = List.of(
            dice -> Kind.of(
                    "dropWithin",
                    "dropWithin(DAY)",
                    (f, step, o) -> f.dropWithin(DAY),
                    Steps.each((x, place) -> Steps.NOTHING)),
            TimingKinds::throttleFirst,
            TimingKinds::throttle,
            TimingKinds::slowThrottle,
            TimingKinds::throttleCosts,
            dice -> last("debounce", f -> f.debounce(DAY)),
            dice -> last("sample", f -> f.sample(DAY)),
            dice -> last("throttleLatest", f -> f.throttleLatest(DAY)),
            TimingKinds::delay,
            TimingKinds::delayWith,
            TimingKinds::expand,
            TimingKinds::expandMore,
            TimingKinds::extrapolate,
            TimingKinds::extrapolateMore,
            TimingKinds::roomyBuffer,
            dice -> held(
                    "initialDelay",
                    "initialDelay(" + SOON_TEXT + ")",
                    f -> f.initialDelay(SOON),
                    (upstream, place, others) -> upstream),
            dice -> held(
                    "keepAlive",
                    "keepAlive(" + SOON_TEXT + ", () -> \"idle\").filterNot(x -> x.equals(\"idle\"))",
                    f -> f.keepAlive(SOON, () -> "idle").filterNot(x -> x.equals("idle")),
                    Steps.each((x, place) -> x.equals("idle") ? Steps.NOTHING : x)),
            TimingKinds::fallback,
            TimingKinds::fallbackInTime,
            TimingKinds::expired,
            dice -> after(
                    "takeWithin",
                    "Source.<Object>never().takeWithin(" + SOON_TEXT + ")",
                    Source.<Object>never().takeWithin(SOON),
                    List.of()),
            dice -> after(
                    "keepAlive",
                    "Source.<Object>never().keepAlive(" + SOON_TEXT + ", () -> \"idle\").take(2)",
                    Source.<Object>never().keepAlive(SOON, () -> "idle").take(2),
                    List.of("idle", "idle")),
            dice -> after(
                    "tick",
                    "Source.tick(Duration.ZERO, " + SOON_TEXT + ", (Object) \"tick\").take(3)",
                    Source.tick(Duration.ZERO, SOON, (Object) "tick").take(3),
                    List.of("tick", "tick", "tick")));

    private TimingKinds() {}

    /** One that asks ahead, and lets a failure overtake what it holds. */
    private static Kind held(
            String operator, String text, UnaryOperator<Flow<Object, Object, ?>> way, Kind.Model model) {
        return Kind.of(operator, text, (f, step, o) -> way.apply(f), model)
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    /** Nothing but the last element, at the end. */
    private static Kind last(String operator, UnaryOperator<Flow<Object, Object, ?>> way) {
        return held(
                operator + " for long",
                operator + "(DAY).fold((Object) \"none\", (a, x) -> x)",
                f -> way.apply(f).fold((Object) "none", (a, x) -> x),
                (upstream, place, others) -> Pull.lazily(() -> {
                    List<Object> all = upstream.rest();
                    return List.of(all.isEmpty() ? "none" : all.get(all.size() - 1));
                }));
    }

    /** Goes on with a source that gives this. */
    private static Kind after(String operator, String text, Source<Object, ?> source, List<Object> elements) {
        return Kind.of(
                        operator + " after",
                        "concat(" + text + ")",
                        (f, step, o) -> f.concat(source),
                        (upstream, place, others) -> JunctionKinds.chain(upstream, () -> Pull.of(elements.iterator())))
                .with(0, Kind.Trait.AHEAD);
    }

    private static Kind throttleFirst(Dice dice) {
        return Kind.of(
                "throttleFirst for long",
                "throttleFirst(DAY)",
                (f, step, o) -> f.throttleFirst(DAY),
                Steps.model(place -> new Steps() {
                    private boolean isClosed;

                    @Override
                    void take(Object x) {
                        if (!isClosed) {
                            out.add(x);
                        }
                        isClosed = true;
                    }
                }));
    }

    private static Kind throttle(Dice dice) {
        return Kind.of(
                        "throttle",
                        "throttle(100_000_000, Duration.ofSeconds(1))",
                        (f, step, o) -> f.throttle(100_000_000, Duration.ofSeconds(1)),
                        (upstream, place, others) -> upstream)
                .with(0, Kind.Trait.HOLDS);
    }

    /** So slow that elements wait, also the last, with which upstream completes. */
    private static Kind slowThrottle(Dice dice) {
        int count = dice.from(1, 20);
        int burst = dice.from(1, 4);
        return Kind.of(
                        "throttle that limits",
                        "take(" + count + ").throttle(20_000, Duration.ofSeconds(1), " + burst
                                + ", ThrottleMode.SHAPING)",
                        (f, step, o) ->
                                f.take(count).throttle(20_000, Duration.ofSeconds(1), burst, ThrottleMode.SHAPING),
                        (upstream, place, others) -> taken(upstream, count))
                .with(0, Kind.Trait.HOLDS);
    }

    private static Pull taken(Pull upstream, int count) {
        int[] left = {count};
        return () -> left[0]-- > 0 ? upstream.next() : null;
    }

    private static Kind throttleCosts(Dice dice) {
        Fault fault = dice.thrown();
        ThrottleMode mode = dice.of(List.of(ThrottleMode.values()));
        return Kind.of(
                        "throttle by cost",
                        "throttle(1_000_000_000, Duration.ofSeconds(1), 1_000_000_000_000L, x -> "
                                + fault.text("$0", "Fault.hash(x, 5)") + ", ThrottleMode." + mode + ")",
                        (f, step, o) -> f.throttle(
                                1_000_000_000,
                                Duration.ofSeconds(1),
                                1_000_000_000_000L,
                                x -> fault.of(step, x, Fault.hash(x, 5)),
                                mode),
                        Steps.each((x, place) -> {
                            int unused = fault.of(place.step(), x, Fault.hash(x, 5));
                            return x;
                        }))
                .with(0, Kind.Trait.HOLDS);
    }

    private static Kind delay(Dice dice) {
        int capacity = dice.from(8, 40);
        return held(
                "delay",
                "delay(" + SOON_TEXT + ", " + capacity + ", OverflowStrategy.BACKPRESSURE)",
                f -> f.delay(SOON, capacity, OverflowStrategy.BACKPRESSURE),
                (upstream, place, others) -> upstream);
    }

    private static Kind delayWith(Dice dice) {
        int capacity = dice.from(8, 40);
        Fault fault = dice.fault();
        Kind.Model each = Steps.each((x, place) -> {
            place.present(fault.of(place.step(), x, x));
            return x;
        });
        return Kind.of(
                        "delayWith",
                        "delayWith(x -> " + fault.text("$0", "Duration.ofNanos(Fault.hash(x, 3) * 20_000L)") + ", "
                                + capacity + ", OverflowStrategy.BACKPRESSURE)",
                        (f, step, o) -> f.delayWith(
                                x -> fault.of(step, x, Duration.ofNanos(Fault.hash(x, 3) * 20_000L)),
                                capacity,
                                OverflowStrategy.BACKPRESSURE),
                        (upstream, place, others) -> place.run().overtaking(each.over(upstream, place, others)))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    /** Each element once, whatever downstream asks for. */
    private static Kind expand(Dice dice) {
        Fault fault = dice.fault();
        int size = dice.from(0, 1);
        return Kind.of(
                        "expand",
                        "expand(x -> " + fault.text("$0", "Collections.nCopies(" + size + ", x).iterator()") + ")",
                        (f, step, o) -> f.<Object>expand(x ->
                                fault.of(step, x, Collections.nCopies(size, x).iterator())),
                        Steps.each((x, place) -> {
                            place.present(fault.of(place.step(), x, x));
                            return size == 0 ? Steps.NOTHING : x;
                        }))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    /** How often each comes is open. */
    private static Kind repeated(String operator, String call, UnaryOperator<Flow<Object, Pair<Object, Long>, ?>> way) {
        return held(
                operator,
                "zipWithIndex()." + call + ".dropRepeated().map(Pair::first)",
                f -> way.apply(f.zipWithIndex()).dropRepeated().map(Pair::first),
                (upstream, place, others) -> upstream);
    }

    private static Kind expandMore(Dice dice) {
        int size = dice.from(2, 40);
        return repeated(
                "expand to many",
                "expand(p -> Collections.nCopies(" + size + ", p).iterator())",
                f -> f.expand(p -> Collections.nCopies(size, p).iterator()));
    }

    private static Kind extrapolateMore(Dice dice) {
        int size = dice.from(0, 40);
        return repeated(
                "extrapolate to many",
                "extrapolate(p -> Collections.nCopies(" + size + ", p).iterator())",
                f -> f.extrapolate(p -> Collections.nCopies(size, p).iterator()));
    }

    private static Kind extrapolate(Dice dice) {
        Iterator<Object> none = Collections.emptyIterator();
        return held(
                "extrapolate",
                "extrapolate(x -> Collections.emptyIterator(), \"before\")",
                f -> f.extrapolate(x -> none, "before"),
                (upstream, place, others) ->
                        JunctionKinds.chain(Pull.of(List.of("before").iterator()), () -> upstream));
    }

    /** A strategy that is not needed. */
    private static Kind roomyBuffer(Dice dice) {
        OverflowStrategy strategy = dice.of(List.of(OverflowStrategy.values()));
        int capacity = dice.from(1, 9);
        return held(
                "buffer with room",
                "take(" + capacity + ").buffer(" + capacity + ", OverflowStrategy." + strategy + ")",
                f -> f.take(capacity).buffer(capacity, strategy),
                (upstream, place, others) -> taken(upstream, capacity));
    }

    /** The other source is run when nothing comes from one that never gives anything. */
    private static Kind fallback(Dice dice) {
        return Kind.of(
                        "timeout with another source",
                        "concat(Source.<Object>never().timeout(" + SOON_TEXT + ", $1))",
                        (f, step, o) -> f.concat(Source.<Object>never().timeout(SOON, o.get(0))),
                        (upstream, place, others) -> JunctionKinds.chain(upstream, others.get(0)))
                .with(1, Kind.Trait.AHEAD);
    }

    private static Kind fallbackInTime(Dice dice) {
        return Kind.of(
                        "timeout that is kept",
                        "timeout(DAY, $1)",
                        (f, step, o) -> f.timeout(DAY, o.get(0)),
                        (upstream, place, others) -> upstream)
                .with(1, Kind.Trait.AHEAD);
    }

    /** Operators that fail by time. */
    private static Source<Object, ?> expiring(String operator) {
        Source<Object, NotUsed> never = Source.never();
        return switch (operator) {
            case "timeout" -> never.timeout(SOON);
            case "initialTimeout" -> never.initialTimeout(SOON);
            case "idleTimeout" -> never.idleTimeout(SOON);
            default -> never.completionTimeout(SOON);
        };
    }

    private static Kind expired(Dice dice) {
        String operator = dice.of(List.of("timeout", "initialTimeout", "idleTimeout", "completionTimeout"));
        return Kind.of(
                        "expired",
                        "concat(Source.<Object>never()." + operator + "(" + SOON_TEXT + "))",
                        (f, step, o) -> f.concat(expiring(operator)),
                        (upstream, place, others) -> JunctionKinds.chain(upstream, () -> () -> {
                            throw new Failed(new TimeoutException(), null);
                        }))
                .with(0, Kind.Trait.AHEAD);
    }
}
