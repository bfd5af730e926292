package io.millrace.streams.operator.elements;

import io.millrace.streams.Flow;
import io.millrace.streams.Source;
import io.millrace.streams.operator.FlowCase;
import io.millrace.streams.operator.FlowContract;
import io.millrace.testkit.Operator;
import java.util.List;

/** Operators that let some elements through. */
@Operator({
    "filter",
    "filterNot",
    "collectType",
    "take",
    "takeWhile",
    "takeThrough",
    "takeUntil",
    "drop",
    "dropWhile",
    "skipUntil",
    "limit",
    "limitWeighted",
    "distinct",
    "dropRepeated",
    "skipLast",
    "defaultIfEmpty"
})
final class SelectionContractTest extends FlowContract {
    private static final List<Integer> NUMBERS = List.of(1, 2, 3, 4, 5);
    private static final List<Integer> REPEATED = List.of(1, 1, 2, 2, 2, 1, 12);

    @Override
    protected List<FlowCase<?, ?>> cases() {
        Flow<Integer, Integer, ?> numbers = Flow.<Integer>create();
        return List.of(
                FlowCase.of("filter", () -> numbers.filter(n -> n % 2 == 0), NUMBERS, List.of(2, 4)),
                FlowCase.of("filterNot", () -> numbers.filterNot(n -> n % 2 == 0), NUMBERS, List.of(1, 3, 5)),
                FlowCase.of(
                        "collectType",
                        () -> Flow.<Object>create().collectType(String.class),
                        List.of(1, "two", 3.0, "four"),
                        List.of("two", "four")),
                ending("take", numbers.take(2), List.of(1, 2)),
                ending("takeWhile", numbers.takeWhile(n -> n < 3), List.of(1, 2)),
                ending("takeThrough", numbers.takeThrough(n -> n < 3), List.of(1, 2, 3)),
                ending("takeUntil", numbers.takeUntil(n -> n >= 3), List.of(1, 2, 3)),
                FlowCase.of("takeUntil", () -> numbers.takeUntil(Source.never()), NUMBERS, NUMBERS)
                        .described("signal"),
                FlowCase.of("drop", () -> numbers.drop(2), NUMBERS, List.of(3, 4, 5)),
                FlowCase.of("dropWhile", () -> numbers.dropWhile(n -> n % 2 == 1), NUMBERS, List.of(2, 3, 4, 5)),
                FlowCase.of("skipUntil", () -> numbers.skipUntil(Source.empty()), NUMBERS, NUMBERS),
                FlowCase.of("skipUntil", () -> numbers.skipUntil(Source.never()), NUMBERS, List.<Integer>of())
                        .described("never"),
                FlowCase.of("limit", () -> numbers.limit(5), NUMBERS, NUMBERS),
                FlowCase.of("limitWeighted", () -> numbers.limitWeighted(15, n -> n), NUMBERS, NUMBERS),
                FlowCase.of("distinct", () -> numbers.distinct(), REPEATED, List.of(1, 2, 12)),
                FlowCase.of("distinct", () -> numbers.distinct(n -> n % 10), REPEATED, List.of(1, 2))
                        .described("by key"),
                FlowCase.of("dropRepeated", () -> numbers.dropRepeated(), REPEATED, List.of(1, 2, 1, 12)),
                FlowCase.of("dropRepeated", () -> numbers.dropRepeated((a, b) -> a + 1 >= b), REPEATED, List.of(1, 12))
                        .described("by comparison"),
                FlowCase.of("skipLast", () -> numbers.skipLast(2), NUMBERS, List.of(1, 2, 3)),
                FlowCase.of("skipLast", () -> numbers.skipLast(0), NUMBERS, NUMBERS)
                        .described("none"),
                FlowCase.of("skipLast", () -> numbers.skipLast(9), NUMBERS, List.<Integer>of())
                        .described("more than there are"),
                FlowCase.of("defaultIfEmpty", () -> numbers.defaultIfEmpty(7), NUMBERS, NUMBERS)
                        .ofNothing(List.of(7))
                        .beforeFailure(NUMBERS),
                FlowCase.of("defaultIfEmpty", () -> numbers.filter(n -> n > 9).defaultIfEmpty(7), NUMBERS, List.of(7))
                        .described("when nothing is left")
                        .ofNothing(List.of(7))
                        .beforeFailure(List.of()));
    }

    private static FlowCase<Integer, Integer> ending(
            String operator, Flow<Integer, Integer, ?> flow, List<Integer> elements) {
        return FlowCase.<Integer, Integer>of(operator, () -> flow, NUMBERS, elements)
                .insteadOfFailure(elements);
    }
}
