package io.millrace.streams.operator.junctions;

import io.millrace.streams.Flow;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.operator.FlowCase;
import io.millrace.streams.operator.FlowContract;
import io.millrace.streams.operator.Promptness;
import io.millrace.testkit.Operator;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Operators for more than one stream, as far as they have one inlet and one outlet and their order is known. */
@Operator({
    "concat",
    "concatLazy",
    "concatDelayError",
    "prepend",
    "orElse",
    "interleave",
    "merge",
    "mergePreferred",
    "mergePrioritized",
    "mergeSorted",
    "mergeSequence",
    "mergeDelayError",
    "firstOf",
    "zip",
    "zipWith",
    "zipAll",
    "alsoTo",
    "alsoToAll",
    "divertTo",
    "wireTap",
    "balance",
    "parallel",
    "parallelOrdered"
})
final class JunctionsContractTest extends FlowContract {
    private static final List<Integer> NUMBERS = List.of(1, 2, 3, 4, 5);
    private static final List<Integer> ALL = List.of(1, 2, 3, 4, 5, 6, 7);

    private final Flow<Integer, Integer, ?> numbers = Flow.<Integer>create();
    private final Flow<Integer, Integer, ?> times10 = Flow.<Integer>create().map(n -> n * 10);
    private final Source<Integer, ?> none = Source.empty();
    private final Source<Integer, ?> more = Source.of(6, 7);

    @Override
    protected Set<Promptness> promptness(FlowCase<?, ?> one) {
        return Promptness.WITH_A_BOUNDARY_BEFORE;
    }

    @Override
    protected List<FlowCase<?, ?>> cases() {
        return Stream.of(oneAfterTheOther(), allAtOnce(), pairs(), fanOut())
                .<FlowCase<?, ?>>flatMap(List::stream)
                .toList();
    }

    private List<FlowCase<?, ?>> oneAfterTheOther() {
        return List.of(
                FlowCase.of("concat", () -> numbers.concat(more), NUMBERS, ALL).ofNothing(List.of(6, 7)),
                FlowCase.of("concatLazy", () -> numbers.concatLazy(more), NUMBERS, ALL)
                        .ofNothing(List.of(6, 7)),
                FlowCase.of("concatDelayError", () -> numbers.concatDelayError(more), NUMBERS, ALL)
                        .ofNothing(List.of(6, 7))
                        .beforeFailure(ALL),
                FlowCase.of("prepend", () -> numbers.prepend(Source.of(-1, 0)), NUMBERS, List.of(-1, 0, 1, 2, 3, 4, 5))
                        .ofNothing(List.of(-1, 0)),
                FlowCase.of("orElse", () -> numbers.orElse(more), NUMBERS, NUMBERS)
                        .ofNothing(List.of(6, 7)),
                FlowCase.of(
                                "interleave",
                                () -> numbers.interleave(Source.of(10, 20, 30), 2, false),
                                NUMBERS,
                                List.of(1, 2, 10, 20, 3, 4, 30, 5))
                        .ofNothing(List.of(10, 20, 30)),
                FlowCase.of("interleave", () -> numbers.interleave(Source.of(10), 1, true), NUMBERS, List.of(1, 10, 2))
                        .described("eagerly")
                        .insteadOfFailure(List.of(1, 10, 2)));
    }

    private List<FlowCase<?, ?>> allAtOnce() {
        return List.of(
                FlowCase.of("merge", () -> numbers.merge(none), NUMBERS, NUMBERS),
                FlowCase.of("mergePreferred", () -> numbers.mergePreferred(none, false), NUMBERS, NUMBERS),
                FlowCase.of("mergePreferred", () -> numbers.mergePreferred(none, true), NUMBERS, NUMBERS)
                        .described("the other"),
                FlowCase.of("mergePrioritized", () -> numbers.mergePrioritized(none, 1, 9), NUMBERS, NUMBERS),
                FlowCase.of(
                                "mergeSorted",
                                () -> numbers.mergeSorted(Source.of(0, 2, 6), Comparator.naturalOrder()),
                                NUMBERS,
                                List.of(0, 1, 2, 2, 3, 4, 5, 6))
                        .ofNothing(List.of(0, 2, 6)),
                FlowCase.of(
                                "mergeSequence",
                                () -> numbers.mergeSequence(Source.of(0), n -> (long) n),
                                NUMBERS,
                                List.of(0, 1, 2, 3, 4, 5))
                        .ofNothing(List.of(0)),
                FlowCase.of("mergeDelayError", () -> numbers.mergeDelayError(none), NUMBERS, NUMBERS)
                        .beforeFailure(NUMBERS),
                FlowCase.of("firstOf", () -> numbers.firstOf(none), NUMBERS, NUMBERS));
    }

    private List<FlowCase<?, ?>> pairs() {
        return List.of(
                FlowCase.of("zip", () -> numbers.zip(more), NUMBERS, List.of(new Pair<>(1, 6), new Pair<>(2, 7)))
                        .insteadOfFailure(List.of(new Pair<>(1, 6), new Pair<>(2, 7))),
                FlowCase.of(
                        "zipWith",
                        () -> numbers.zipWith(Source.repeat(1), Integer::sum),
                        NUMBERS,
                        List.of(2, 3, 4, 5, 6)),
                FlowCase.of(
                                "zipAll",
                                () -> numbers.zipAll(Source.of(6, 7), 0, -1),
                                List.of(1, 2, 3),
                                List.of(new Pair<>(1, 6), new Pair<>(2, 7), new Pair<>(3, -1)))
                        .ofNothing(List.of(new Pair<>(0, 6), new Pair<>(0, 7))));
    }

    private List<FlowCase<?, ?>> fanOut() {
        return List.of(
                FlowCase.of("alsoTo", () -> numbers.alsoTo(Sink.ignore()), NUMBERS, NUMBERS),
                FlowCase.of(
                        "alsoToAll", () -> numbers.alsoToAll(List.of(Sink.ignore(), Sink.ignore())), NUMBERS, NUMBERS),
                FlowCase.of(
                        "divertTo", () -> numbers.divertTo(Sink.ignore(), n -> n % 2 == 0), NUMBERS, List.of(1, 3, 5)),
                FlowCase.of("wireTap", () -> numbers.wireTap(Sink.ignore()), NUMBERS, NUMBERS),
                FlowCase.of("balance", () -> numbers.balance(1, times10), NUMBERS, List.of(10, 20, 30, 40, 50)),
                FlowCase.of("parallel", () -> numbers.parallel(1, times10), NUMBERS, List.of(10, 20, 30, 40, 50)),
                FlowCase.of(
                        "parallelOrdered",
                        () -> numbers.parallelOrdered(3, times10),
                        NUMBERS,
                        List.of(10, 20, 30, 40, 50)));
    }
}
