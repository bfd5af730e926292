package io.millrace.streams.operator.elements;

import io.millrace.streams.Flow;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Signal;
import io.millrace.streams.graph.Timestamped;
import io.millrace.streams.operator.FlowCase;
import io.millrace.streams.operator.FlowContract;
import io.millrace.testkit.Operator;
import java.util.List;
import java.util.Optional;

/** Operators that make something else of each element. */
@Operator({
    "map",
    "mapConcat",
    "zipWithIndex",
    "statefulMap",
    "scan",
    "fold",
    "mapWithResource",
    "intersperse",
    "materialize",
    "dematerialize",
    "timestamp"
})
final class ElementsContractTest extends FlowContract {
    private static final List<Integer> NUMBERS = List.of(1, 2, 3, 4, 5);

    @Override
    protected List<FlowCase<?, ?>> cases() {
        Flow<Integer, Integer, ?> numbers = Flow.<Integer>create();
        return List.of(
                FlowCase.of("map", () -> numbers.map(n -> n * 10), NUMBERS, List.of(10, 20, 30, 40, 50)),
                FlowCase.of(
                        "mapConcat",
                        () -> numbers.mapConcat(n -> List.of(n, -n).subList(0, n % 3)),
                        NUMBERS,
                        List.of(1, 2, -2, 4, 5, -5)),
                FlowCase.of(
                        "zipWithIndex",
                        () -> numbers.zipWithIndex(),
                        List.of(7, 8),
                        List.of(new Pair<>(7, 0L), new Pair<>(8, 1L))),
                FlowCase.of(
                                "statefulMap",
                                () -> numbers.statefulMap(
                                        () -> 0, (sum, n) -> new Pair<>(sum + n, sum), sum -> Optional.of(sum)),
                                NUMBERS,
                                List.of(0, 1, 3, 6, 10, 15))
                        .ofNothing(List.of(0)),
                FlowCase.of("scan", () -> numbers.scan(0, Integer::sum), NUMBERS, List.of(0, 1, 3, 6, 10, 15))
                        .ofNothing(List.of(0)),
                FlowCase.of("fold", () -> numbers.fold(0, Integer::sum), NUMBERS, List.of(15))
                        .beforeFailure(List.of())
                        .ofNothing(List.of(0)),
                FlowCase.of(
                                "mapWithResource",
                                () -> numbers.mapWithResource(
                                        StringBuilder::new,
                                        (text, n) -> text.append(n).toString(),
                                        text -> Optional.of(text + ".")),
                                NUMBERS,
                                List.of("1", "12", "123", "1234", "12345", "12345."))
                        .ofNothing(List.of(".")),
                FlowCase.of("intersperse", () -> numbers.intersperse(0), List.of(1, 2, 3), List.of(1, 0, 2, 0, 3)),
                FlowCase.of(
                                "intersperse",
                                () -> numbers.intersperse(-1, 0, -2),
                                List.of(1, 2),
                                List.of(-1, 1, 0, 2, -2))
                        .described("with a beginning and an end")
                        .beforeFailure(List.of(-1, 1, 0, 2))
                        .ofNothing(List.of(-1, -2)),
                FlowCase.of(
                                "materialize",
                                () -> numbers.materialize()
                                        .map(signal -> signal.getClass().getSimpleName()),
                                List.of(1),
                                List.of("Next", "Completed"))
                        .insteadOfFailure(List.of("Next", "Failed"))
                        .ofNothing(List.of("Completed")),
                FlowCase.of("dematerialize", () -> numbers.dematerialize(Signal.Next<Integer>::new), NUMBERS, NUMBERS),
                FlowCase.of(
                                "dematerialize",
                                () -> numbers.materialize().dematerialize(signal -> signal),
                                NUMBERS,
                                NUMBERS)
                        .described("after materialize"),
                FlowCase.of("timestamp", () -> numbers.timestamp().map(Timestamped::element), NUMBERS, NUMBERS));
    }
}
