package io.millrace.streams.operator.substreams;

import io.millrace.streams.Flow;
import io.millrace.streams.Source;
import io.millrace.streams.operator.FlowCase;
import io.millrace.streams.operator.FlowContract;
import io.millrace.streams.operator.Promptness;
import io.millrace.testkit.Operator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Operators for streams of streams, joined again. */
@Operator({
    "groupBy",
    "splitWhen",
    "splitAfter",
    "prefixAndTail",
    "switchOnFirst",
    "flatMapConcat",
    "flatMapMerge",
    "switchMap",
    "expandRecursively",
    "lazy",
    "fromCompletionStage"
})
final class SubstreamsContractTest extends FlowContract {
    private static final List<Integer> NUMBERS = List.of(1, 2, 3, 4, 5);
    private static final List<Integer> INCREASED = List.of(2, 3, 4, 5, 6);
    private static final List<Integer> DOUBLED = List.of(1, 10, 2, 20, 3, 30, 4, 40, 5, 50);

    @Override
    protected Set<Promptness> promptness(FlowCase<?, ?> one) {
        return Promptness.WITH_A_BOUNDARY_BEFORE;
    }

    @Override
    protected List<FlowCase<?, ?>> cases() {
        Flow<Integer, Integer, ?> numbers = Flow.<Integer>create();
        return List.of(
                FlowCase.of("groupBy", () -> numbers.groupBy(4, n -> "all").mergeSubstreams(), NUMBERS, NUMBERS),
                FlowCase.of("splitWhen", () -> numbers.splitWhen(n -> n == 3).concatSubstreams(), NUMBERS, NUMBERS),
                FlowCase.of("splitAfter", () -> numbers.splitAfter(n -> n == 3).concatSubstreams(), NUMBERS, NUMBERS),
                FlowCase.of(
                        "prefixAndTail",
                        () -> numbers.prefixAndTail(2)
                                .flatMapConcat(
                                        split -> Source.from(split.first()).concat(split.second())),
                        NUMBERS,
                        NUMBERS),
                FlowCase.of(
                        "switchOnFirst",
                        () -> numbers.switchOnFirst(first -> Flow.of((Integer n) -> n + 10 * first)),
                        NUMBERS,
                        List.of(11, 12, 13, 14, 15)),
                FlowCase.of("flatMapConcat", () -> numbers.flatMapConcat(n -> Source.of(n, n * 10)), NUMBERS, DOUBLED)
                        .described("of loops"),
                FlowCase.of(
                                "flatMapConcat",
                                () -> numbers.flatMapConcat(SubstreamsContractTest::running),
                                NUMBERS,
                                DOUBLED)
                        .described("of streams"),
                FlowCase.of("flatMapMerge", () -> numbers.flatMapMerge(1, n -> Source.of(n, n * 10)), NUMBERS, DOUBLED)
                        .described("of loops"),
                FlowCase.of(
                                "flatMapMerge",
                                () -> numbers.flatMapMerge(1, SubstreamsContractTest::running),
                                NUMBERS,
                                DOUBLED)
                        .described("of streams"),
                FlowCase.of(
                        "switchMap", () -> numbers.switchMap(n -> Source.of(n, n * 10)), List.of(1), List.of(1, 10)),
                FlowCase.of(
                        "expandRecursively",
                        () -> numbers.expandRecursively(n -> n < 3 ? Source.single(n * 10) : Source.empty()),
                        NUMBERS,
                        List.of(1, 2, 3, 4, 5, 10, 20)),
                FlowCase.of(
                        "lazy", () -> numbers.via(Flow.lazy(() -> Flow.of((Integer n) -> n + 1))), NUMBERS, INCREASED),
                FlowCase.of(
                                "fromCompletionStage",
                                () -> numbers.via(Flow.fromCompletionStage(
                                        CompletableFuture.completedFuture(Flow.of((Integer n) -> n + 1)))),
                                NUMBERS,
                                INCREASED)
                        .described("of a future that is there"),
                FlowCase.of(
                                "fromCompletionStage",
                                () -> numbers.via(Flow.fromCompletionStage(
                                        CompletableFuture.supplyAsync(() -> Flow.of((Integer n) -> n + 1)))),
                                NUMBERS,
                                INCREASED)
                        .described("of a future that comes"));
    }

    private static Source<Integer, ?> running(int n) {
        return Source.single(n).concat(Source.single(n * 10));
    }
}
