package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.RestartSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sources and flows that begin again, and sources that clean up. */
final class RestartKinds {
    static final List<Function<Dice, Kind>> ALL = List.of(
            RestartKinds::restarting,
            RestartKinds::restartingOnFailures,
            RestartKinds::restartingFlow,
            RestartKinds::endingFlow,
            RestartKinds::retrying,
            RestartKinds::restartingSink,
            RestartKinds::usingWhen);

    private RestartKinds() {}

    /** So many restarts, or any number if it is negative. */
    static RestartSettings soon(int restarts) {
        Duration wait = Duration.ofNanos(1_000);
        RestartSettings settings = RestartSettings.of(Backoff.exponential(wait, wait));
        return restarts < 0 ? settings : settings.withMaxRestarts(restarts, Duration.ofDays(1));
    }

    private static Kind restarting(Dice dice) {
        int restarts = dice.below(3);
        return Kind.of(
                        "restarting",
                        "concat(Source.restarting(RestartKinds.soon(" + restarts
                                + ").withRestartOn(Exception.class::isInstance), () -> $1))",
                        (f, step, o) -> f.concat(Source.<Object>restarting(
                                soon(restarts).withRestartOn(Exception.class::isInstance), () -> o.get(0))),
                        (upstream, place, others) -> JunctionKinds.chain(
                                upstream, () -> again(others.get(0), restarts, true, Exception.class::isInstance)))
                .with(1, Kind.Trait.AHEAD);
    }

    private static Kind restartingOnFailures(Dice dice) {
        int restarts = dice.below(3);
        return Kind.of(
                        "restarting on failures",
                        "concat(Source.restarting(RestartKinds.soon(" + restarts + ").onFailuresOnly(), () -> $1))",
                        (f, step, o) -> f.concat(
                                Source.<Object>restarting(soon(restarts).onFailuresOnly(), () -> o.get(0))),
                        (upstream, place, others) -> JunctionKinds.chain(
                                upstream, () -> again(others.get(0), restarts, false, failure -> true)))
                .with(1, Kind.Trait.AHEAD);
    }

    /** An element that is odd by its hash is changed again. */
    private static Kind retrying(Dice dice) {
        int retries = dice.from(1, 3);
        Change change = dice.change();
        return Kind.of(
                        "retrying",
                        "via(Flow.retrying(" + retries + ", Backoff.NONE, Flow.<Object, Object>of(Change." + change
                                + "::of), (x, made) -> Fault.hash(made, 2) == 1 ? Optional.of(made) : Optional.empty()))",
                        (f, step, o) -> f.via(Flow.retrying(
                                retries,
                                Backoff.NONE,
                                Flow.<Object, Object>of(change::of),
                                (x, made) -> Fault.hash(made, 2) == 1 ? Optional.of(made) : Optional.empty())),
                        Steps.each((x, place) -> {
                            Object made = change.of(x);
                            for (int i = 0; i < retries && Fault.hash(made, 2) == 1; i++) {
                                made = change.of(made);
                            }
                            return made;
                        }))
                .with(0, Kind.Trait.OVERTAKEN);
    }

    private static Pull again(
            Supplier<Pull> source, int restarts, boolean isOnCompletion, Predicate<Throwable> condition) {
        return new Pull() {
            private Pull present = source.get();
            private int left = restarts;

            @Override
            public @Nullable Object next() {
                while (true) {
                    try {
                        Object x = present.next();
                        if (x != null || !isOnCompletion || left == 0) {
                            return x;
                        }
                    } catch (Failed failed) {
                        if (left == 0 || !condition.test(failed.failure())) {
                            throw failed;
                        }
                    }
                    left--;
                    present = source.get();
                }
            }
        };
    }

    /** The flow never ends before upstream does. */
    private static Kind restartingFlow(Dice dice) {
        Change change = dice.change();
        return Kind.of(
                        "restarting flow",
                        "via(Flow.restarting(RestartKinds.soon(0), () -> Flow.<Object, Object>of(Change." + change
                                + "::of)))",
                        (f, step, o) ->
                                f.via(Flow.restarting(soon(0), () -> Flow.<Object, Object>of(x -> change.of(x)))),
                        Steps.each((x, place) -> change.of(x)))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    /** What the flow holds when it ends is lost. */
    private static Kind endingFlow(Dice dice) {
        int most = dice.from(1, 30);
        return LatestKinds.alone(
                "restarting flow that ends",
                "via(Flow.restarting(RestartKinds.soon(-1), () -> Flow.<Pair<Object, Long>>create().take(" + most
                        + ")))",
                f -> f.via(Flow.restarting(
                        soon(-1), () -> Flow.<Pair<Object, Long>>create().take(most))),
                LatestKinds.Order.KEPT);
    }

    private static Kind restartingSink(Dice dice) {
        int most = dice.from(5, 30);
        return JunctionKinds.passing(
                "restarting sink",
                "alsoTo(Sink.restarting(RestartKinds.soon(-1), () -> Flow.<Object>create().take(" + most
                        + ").to(Sink.ignore())))",
                f -> f.alsoTo(Sink.<Object>restarting(
                        soon(-1), () -> Flow.<Object>create().take(most).to(Sink.ignore()))));
    }

    /** The resource, the source made of it or the cleanup may fail. */
    private static Kind usingWhen(Dice dice) {
        FutureKinds.Manner manner = dice.of(List.of(FutureKinds.Manner.values()));
        Fault opening = dice.faultOn("open");
        Fault making = dice.faultOn("body");
        Fault cleaning = dice.faultOn("clean");
        return Kind.of(
                        "usingWhen",
                        "concat(Source.usingWhen(() -> " + FutureKinds.text(manner, opening, "\"open\"", "7")
                                + ", resource -> " + making.text("$0", "\"body\"", "$1")
                                + ", (resource, outcome) -> " + FutureKinds.text(manner, cleaning, "\"clean\"", "8")
                                + "))",
                        (f, step, o) -> f.concat(Source.<Integer, Object>usingWhen(
                                () -> manner.future(() -> opening.of(step, "open", 7)),
                                resource -> making.of(step, "body", o.get(0)),
                                (resource, outcome) -> manner.future(() -> cleaning.of(step, "clean", 8)))),
                        (upstream, place, others) -> JunctionKinds.chain(
                                upstream, () -> used(place, others.get(0), opening, making, cleaning)))
                .with(1, Kind.Trait.AHEAD);
    }

    private static Pull used(Place place, Supplier<Pull> source, Fault opening, Fault making, Fault cleaning) {
        return new Pull() {
            private @Nullable Pull present;
            private boolean isOver;

            @Override
            public @Nullable Object next() {
                if (isOver) {
                    return null;
                }
                if (present == null) {
                    JunctionKinds.unsupervised(opening, place, "open", 7);
                    present = made();
                }
                Object x = present.next();
                if (x == null) {
                    isOver = true;
                    JunctionKinds.unsupervised(cleaning, place, "clean", 8);
                }
                return x;
            }

            private Pull made() {
                try {
                    return making.of(place.step(), "body", source).get();
                } catch (Throwable thrown) {
                    return () -> {
                        throw place.failed(thrown);
                    };
                }
            }
        };
    }
}
