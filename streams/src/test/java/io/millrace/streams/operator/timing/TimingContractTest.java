package io.millrace.streams.operator.timing;

import io.millrace.streams.Flow;
import io.millrace.streams.Source;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.ThrottleMode;
import io.millrace.streams.operator.FlowCase;
import io.millrace.streams.operator.FlowContract;
import io.millrace.streams.operator.Promptness;
import io.millrace.testkit.Operator;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Operators of rate and time, with times so short or so long that they decide nothing. */
@Operator({
    "backpressureTimeout",
    "batch",
    "batchWeighted",
    "buffer",
    "completionTimeout",
    "conflate",
    "conflateWithSeed",
    "debounce",
    "delay",
    "delayWith",
    "dropWithin",
    "expand",
    "extrapolate",
    "groupedWeightedWithin",
    "groupedWithin",
    "idleTimeout",
    "initialDelay",
    "initialTimeout",
    "keepAlive",
    "sample",
    "takeWithin",
    "throttle",
    "throttleFirst",
    "throttleLatest",
    "timeout"
})
final class TimingContractTest extends FlowContract {
    private static final List<Integer> NUMBERS = List.of(1, 2, 3, 4, 5);
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration SOON = Duration.ofMillis(1);

    private final Flow<Integer, Integer, ?> numbers = Flow.<Integer>create();

    @Override
    protected Set<Promptness> promptness(FlowCase<?, ?> one) {
        return Promptness.WITH_A_BOUNDARY_BEFORE;
    }

    @Override
    protected List<FlowCase<?, ?>> cases() {
        return Stream.of(rates(), latest(), groups(), timeouts())
                .<FlowCase<?, ?>>flatMap(List::stream)
                .toList();
    }

    private List<FlowCase<?, ?>> rates() {
        return List.of(
                same("buffer", numbers.buffer(2, OverflowStrategy.BACKPRESSURE)),
                same("batch", numbers.batch(1, n -> n, Integer::sum)),
                same("batchWeighted", numbers.batchWeighted(3, n -> 3, n -> n, Integer::sum)),
                FlowCase.of("conflate", () -> numbers.conflate(Integer::sum), List.of(7), List.of(7)),
                FlowCase.of(
                        "conflateWithSeed",
                        () -> numbers.conflateWithSeed(n -> "seed " + n, (text, n) -> text + n),
                        List.of(7),
                        List.of("seed 7")),
                same("expand", numbers.expand(n -> List.of(n).iterator())),
                same("extrapolate", numbers.extrapolate(n -> Collections.emptyIterator())),
                FlowCase.of(
                                "extrapolate",
                                () -> numbers.extrapolate(n -> Collections.emptyIterator(), 0),
                                NUMBERS,
                                List.of(0, 1, 2, 3, 4, 5))
                        .described("from an initial element")
                        .ofNothing(List.of(0)),
                same("throttle", numbers.throttle(1_000_000, Duration.ofSeconds(1))),
                same("throttle", numbers.throttle(1, NEVER, 10, ThrottleMode.ENFORCING))
                        .described("by force"),
                same("throttle", numbers.throttle(1, NEVER, 15, n -> n, ThrottleMode.SHAPING))
                        .described("by cost"));
    }

    private List<FlowCase<?, ?>> latest() {
        return List.of(
                same("delay", numbers.delay(Duration.ZERO)),
                same("delay", numbers.delay(SOON, 2, OverflowStrategy.BACKPRESSURE))
                        .described("with room for two"),
                same("delayWith", numbers.delayWith(n -> SOON.dividedBy(n), 2, OverflowStrategy.BACKPRESSURE)),
                FlowCase.of("debounce", () -> numbers.debounce(NEVER), NUMBERS, List.of(5))
                        .beforeFailure(List.of()),
                FlowCase.of("sample", () -> numbers.sample(NEVER), NUMBERS, List.of(5))
                        .beforeFailure(List.of()),
                FlowCase.of("throttleLatest", () -> numbers.throttleLatest(NEVER), List.of(7), List.of(7)),
                FlowCase.of("throttleFirst", () -> numbers.throttleFirst(NEVER), NUMBERS, List.of(1)),
                same("keepAlive", numbers.keepAlive(NEVER, () -> 0)),
                same("initialDelay", numbers.initialDelay(SOON)),
                same("takeWithin", numbers.takeWithin(NEVER)),
                FlowCase.of("dropWithin", () -> numbers.dropWithin(NEVER), NUMBERS, List.of()));
    }

    private List<FlowCase<?, ?>> groups() {
        return List.of(
                FlowCase.of(
                        "groupedWithin",
                        () -> numbers.groupedWithin(2, NEVER),
                        NUMBERS,
                        List.of(List.of(1, 2), List.of(3, 4), List.of(5))),
                FlowCase.of(
                        "groupedWeightedWithin",
                        () -> numbers.groupedWeightedWithin(4, NEVER, n -> n),
                        NUMBERS,
                        List.of(List.of(1, 2), List.of(3), List.of(4), List.of(5))));
    }

    private List<FlowCase<?, ?>> timeouts() {
        return List.of(
                same("timeout", numbers.timeout(NEVER)),
                same("timeout", numbers.timeout(NEVER, Source.single(0))).described("with a fallback"),
                same("initialTimeout", numbers.initialTimeout(NEVER)),
                same("idleTimeout", numbers.idleTimeout(NEVER)),
                same("completionTimeout", numbers.completionTimeout(NEVER)),
                same("backpressureTimeout", numbers.backpressureTimeout(NEVER)));
    }

    /** What comes out is what went in. */
    private static FlowCase<Integer, Integer> same(String operator, Flow<Integer, Integer, ?> flow) {
        return FlowCase.of(operator, () -> flow, NUMBERS, NUMBERS);
    }
}
