package io.millrace.testkit.operators;

import io.millrace.streams.Flow;
import io.millrace.testkit.Operator;
import java.util.List;

/** Operators that look at one element at a time. */
@Operator({"map", "filter", "take", "takeWhile", "scan"})
final class ElementsContractTest extends FlowContract {
    private static final List<Integer> NUMBERS = List.of(1, 2, 3, 4, 5);

    @Override
    List<FlowCase<?, ?>> cases() {
        Flow<Integer, Integer, ?> numbers = Flow.<Integer>create();
        return List.of(
                FlowCase.of("map", () -> numbers.map(n -> n * 10), NUMBERS, List.of(10, 20, 30, 40, 50)),
                FlowCase.of("filter", () -> numbers.filter(n -> n % 2 == 0), NUMBERS, List.of(2, 4)),
                FlowCase.of("take", () -> numbers.take(2), NUMBERS, List.of(1, 2))
                        .insteadOfFailure(List.of(1, 2)),
                FlowCase.of("takeWhile", () -> numbers.takeWhile(n -> n < 3), NUMBERS, List.of(1, 2))
                        .insteadOfFailure(List.of(1, 2)),
                FlowCase.of("scan", () -> numbers.scan(0, Integer::sum), NUMBERS, List.of(0, 1, 3, 6, 10, 15))
                        .ofNothing(List.of(0)));
    }
}
