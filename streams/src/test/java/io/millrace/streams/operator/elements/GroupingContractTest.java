package io.millrace.streams.operator.elements;

import io.millrace.streams.Flow;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.operator.FlowCase;
import io.millrace.streams.operator.FlowContract;
import io.millrace.testkit.Operator;
import java.util.List;

/** Operators that make one element of several. */
@Operator({"grouped", "groupedWeighted", "sliding", "aggregateWithBoundary"})
final class GroupingContractTest extends FlowContract {
    private static final List<Integer> NUMBERS = List.of(1, 2, 3, 4, 5);

    @Override
    protected List<FlowCase<?, ?>> cases() {
        Flow<Integer, Integer, ?> numbers = Flow.<Integer>create();
        return List.of(
                FlowCase.of(
                        "grouped",
                        () -> numbers.grouped(2),
                        NUMBERS,
                        List.of(List.of(1, 2), List.of(3, 4), List.of(5))),
                FlowCase.of(
                        "groupedWeighted",
                        () -> numbers.groupedWeighted(5, n -> n),
                        List.of(1, 2, 3, 9, 1, 4, 1, 1),
                        List.of(List.of(1, 2), List.of(3), List.of(9), List.of(1, 4), List.of(1, 1))),
                FlowCase.of(
                        "sliding",
                        () -> numbers.sliding(3, 2),
                        List.of(1, 2, 3, 4, 5, 6),
                        List.of(List.of(1, 2, 3), List.of(3, 4, 5), List.of(5, 6))),
                FlowCase.of(
                                "sliding",
                                () -> numbers.sliding(4, 1),
                                NUMBERS,
                                List.of(List.of(1, 2, 3, 4), List.of(2, 3, 4, 5)))
                        .described("by one"),
                FlowCase.of("sliding", () -> numbers.sliding(2, 3), NUMBERS, List.of(List.of(1, 2), List.of(4, 5)))
                        .described("with gaps"),
                FlowCase.of("sliding", () -> numbers.sliding(9, 2), NUMBERS, List.of(NUMBERS))
                        .described("never full")
                        .beforeFailure(List.of()),
                FlowCase.of(
                        "aggregateWithBoundary",
                        () -> numbers.aggregateWithBoundary(
                                () -> 0, (sum, n) -> new Pair<>(sum + n, sum + n >= 3), sum -> "sum " + sum),
                        List.of(1, 2, 3, 1, 1, 1, 1),
                        List.of("sum 3", "sum 3", "sum 3", "sum 1")));
    }
}
