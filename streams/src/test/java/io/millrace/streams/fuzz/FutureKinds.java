package io.millrace.streams.fuzz;

import io.millrace.streams.graph.Pair;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Operators on futures, some done when they are given, some completed by another thread. */
final class FutureKinds {
    static final List<Function<Dice, Kind>> ALL = List.of(
            FutureKinds::mapAsync,
            FutureKinds::mapAsyncUnordered,
            FutureKinds::mapAsyncPartitioned,
            FutureKinds::statefulMapAsync,
            FutureKinds::scanAsync,
            FutureKinds::foldAsync);

    /** Where a function fails, and when its future completes. */
    enum Manner {
        THROWN,
        DONE,
        LATER;

        /** A future of what the work makes. */
        <T> CompletionStage<T> future(Callable<T> work) throws Exception {
            return switch (this) {
                case THROWN -> CompletableFuture.completedFuture(work.call());
                case DONE -> done(work);
                case LATER ->
                    CompletableFuture.supplyAsync(() -> {
                        try {
                            return work.call();
                        } catch (Exception | Error e) {
                            throw new CompletionException(e);
                        }
                    });
            };
        }

        private static <T> CompletionStage<T> done(Callable<T> work) {
            try {
                return CompletableFuture.completedFuture(work.call());
            } catch (Exception | Error e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }

    private FutureKinds() {}

    private static Manner manner(Dice dice) {
        return dice.of(List.of(Manner.values()));
    }

    private static String text(Manner manner, Fault fault, String value) {
        return text(manner, fault, "x", value);
    }

    static String text(Manner manner, Fault fault, String element, String value) {
        return "FutureKinds.Manner." + manner + ".future(() -> " + fault.text("$0", element, value) + ")";
    }

    private static Kind mapAsync(Dice dice) {
        int parallelism = dice.from(1, 5);
        Manner manner = manner(dice);
        Change change = dice.change();
        Fault fault = dice.fault();
        return Kind.of(
                        "mapAsync",
                        "<Object>mapAsync(" + parallelism + ", x -> "
                                + text(manner, fault, "Change." + change + ".of(x)") + ")",
                        (f, step, o) -> f.<Object>mapAsync(
                                parallelism, x -> manner.future(() -> fault.of(step, x, change.of(x)))),
                        overtaking(fault, parallelism == 1 ? Manner.DONE : manner, change))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    /** What a function throws at once overtakes results that still wait. */
    private static Kind.Model overtaking(Fault fault, Manner manner, Change change) {
        Kind.Model each = Steps.each((x, place) -> fault.of(place.step(), x, change.of(x)));
        return (upstream, place, others) -> manner == Manner.THROWN
                ? place.run().overtaking(each.over(upstream, place, others))
                : each.over(upstream, place, others);
    }

    private static Kind mapAsyncUnordered(Dice dice) {
        int parallelism = dice.from(1, 5);
        Manner manner = manner(dice);
        Fault fault = dice.fault();
        Kind.Model each = Steps.each((x, place) -> fault.of(place.step(), x, x));
        return Kind.of(
                        "mapAsyncUnordered",
                        "<Object>mapAsyncUnordered(" + parallelism + ", x -> " + text(manner, fault, "x")
                                + ").fold((Object) List.of(), Lists::add).map(Lists::sorted)",
                        (f, step, o) -> f.<Object>mapAsyncUnordered(
                                        parallelism, x -> manner.future(() -> fault.of(step, x, x)))
                                .fold((Object) List.of(), Lists::add)
                                .map(Lists::sorted),
                        (upstream, place, others) -> Pull.lazily(() -> List.of(Lists.sorted(place.run()
                                .overtaking(each.over(upstream, place, others))
                                .rest()))))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static Kind mapAsyncPartitioned(Dice dice) {
        int parallelism = dice.from(1, 5);
        Manner manner = manner(dice);
        Change change = dice.change();
        Fault fault = dice.fault();
        return Kind.of(
                        "mapAsyncPartitioned",
                        "<Integer, Object>mapAsyncPartitioned(" + parallelism + ", x -> Fault.hash(x, 3), x -> "
                                + text(manner, fault, "Change." + change + ".of(x)") + ")",
                        (f, step, o) -> f.<Integer, Object>mapAsyncPartitioned(
                                parallelism,
                                x -> Fault.hash(x, 3),
                                x -> manner.future(() -> fault.of(step, x, change.of(x)))),
                        overtaking(fault, parallelism == 1 ? Manner.DONE : manner, change))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static Kind statefulMapAsync(Dice dice) {
        Manner manner = manner(dice);
        Fault fault = dice.thrown();
        return Kind.of(
                        "statefulMapAsync",
                        "<Integer, Object>statefulMapAsync(() -> 0, (n, x) -> "
                                + text(manner, fault, "new Pair<>(n + 1, Change.both(n, x))")
                                + ", n -> Optional.of(n))",
                        (f, step, o) -> f.<Integer, Object>statefulMapAsync(
                                () -> 0,
                                (n, x) -> manner.future(() -> fault.of(step, x, new Pair<>(n + 1, Change.both(n, x)))),
                                n -> Optional.of(n)),
                        Steps.model(place -> new Steps() {
                            private int count;

                            @Override
                            void take(Object x) throws Exception {
                                out.add(fault.of(place.step(), x, Change.both(count, x)));
                                count++;
                            }

                            @Override
                            void end() {
                                out.add(count);
                            }
                        }))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static Kind scanAsync(Dice dice) {
        Manner manner = manner(dice);
        Fault fault = dice.fault();
        Kind.Model results = ElementKinds.folding(fault, 5, true);
        return Kind.of(
                        "scanAsync",
                        "scanAsync((Object) 5, (a, x) -> " + text(manner, fault, "Change.both(a, x)") + ")",
                        (f, step, o) -> f.scanAsync(
                                (Object) 5, (a, x) -> manner.future(() -> fault.of(step, x, Change.both(a, x)))),
                        (upstream, place, others) -> JunctionKinds.chain(
                                Pull.of(List.of(5).iterator()), () -> results.over(upstream, place, others)))
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }

    private static Kind foldAsync(Dice dice) {
        Manner manner = manner(dice);
        Fault fault = dice.fault();
        return Kind.of(
                        "foldAsync",
                        "foldAsync((Object) 5, (a, x) -> " + text(manner, fault, "Change.both(a, x)") + ")",
                        (f, step, o) -> f.foldAsync(
                                (Object) 5, (a, x) -> manner.future(() -> fault.of(step, x, Change.both(a, x)))),
                        ElementKinds.folding(fault, 5, false))
                // A failure of upstream overtakes that of a future which is still to come.
                .with(0, Kind.Trait.AHEAD, Kind.Trait.OVERTAKEN);
    }
}
