package io.millrace.streams.fuzz;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Operators for the failure of what is above them. */
final class FailureKinds {
    static final List<Function<Dice, Kind>> ALL = List.of(
            FailureKinds::recover,
            FailureKinds::recoverWith,
            FailureKinds::recoverWithRetries,
            FailureKinds::mapError,
            FailureKinds::onErrorComplete);

    private FailureKinds() {}

    private static Pull after(Pull upstream, Function<Failed, Pull> next) {
        return new Pull() {
            private @Nullable Pull instead;

            @Override
            public @Nullable Object next() {
                if (instead == null) {
                    try {
                        return upstream.next();
                    } catch (Failed failed) {
                        instead = next.apply(failed);
                    }
                }
                return instead.next();
            }
        };
    }

    private static Kind recover(Dice dice) {
        return Kind.of(
                "recover",
                "recover(failure -> Fault.told(failure))",
                (f, step, o) -> f.recover(Fault::told),
                (upstream, place, others) -> after(
                        upstream,
                        failed -> Pull.of(List.of(Fault.told(failed.failure())).iterator())));
    }

    private static Kind recoverWith(Dice dice) {
        return Kind.of(
                        "recoverWith",
                        "recoverWith(failure -> $1)",
                        (f, step, o) -> f.recoverWith(failure -> o.get(0)),
                        (upstream, place, others) ->
                                after(upstream, failed -> others.get(0).get()))
                .with(1);
    }

    private static Kind recoverWithRetries(Dice dice) {
        int times = dice.from(1, 3);
        return Kind.of(
                        "recoverWithRetries",
                        "recoverWithRetries(" + times + ", failure -> $1)",
                        (f, step, o) -> f.recoverWithRetries(times, failure -> o.get(0)),
                        (upstream, place, others) -> again(upstream, others.get(0), times))
                .with(1);
    }

    private static Pull again(Pull upstream, Supplier<Pull> other, int times) {
        return times == 0 ? upstream : after(upstream, failed -> again(other.get(), other, times - 1));
    }

    private static Kind mapError(Dice dice) {
        return Kind.of(
                "mapError",
                "mapError(failure -> new UnsupportedOperationException(Fault.told(failure)))",
                (f, step, o) -> f.mapError(failure -> new UnsupportedOperationException("as " + Fault.told(failure))),
                (upstream, place, others) -> after(upstream, failed -> {
                    throw new Failed(
                            new UnsupportedOperationException("as " + Fault.told(failed.failure())), place.step());
                }));
    }

    private static Kind onErrorComplete(Dice dice) {
        return Kind.of(
                "onErrorComplete",
                "onErrorComplete(failure -> failure instanceof Exception)",
                (f, step, o) -> f.onErrorComplete(failure -> failure instanceof Exception),
                (upstream, place, others) -> after(upstream, failed -> {
                    if (!(failed.failure() instanceof Exception)) {
                        throw failed;
                    }
                    return () -> null;
                }));
    }
}
