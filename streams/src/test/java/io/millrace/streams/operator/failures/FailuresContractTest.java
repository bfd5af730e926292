package io.millrace.streams.operator.failures;

import io.millrace.streams.Flow;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.operator.FlowCase;
import io.millrace.streams.operator.FlowContract;
import io.millrace.testkit.Operator;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Operators for what becomes of failures. */
@Operator({
    "recover",
    "recoverWith",
    "recoverWithRetries",
    "mapError",
    "doOnError",
    "onErrorComplete",
    "onErrorContinue",
    "retrying"
})
final class FailuresContractTest extends FlowContract {
    private static final List<Integer> NUMBERS = List.of(1, 2, 3, 4, 5);

    @Override
    protected List<FlowCase<?, ?>> cases() {
        Flow<Integer, Integer, ?> numbers = Flow.<Integer>create();
        return List.of(
                FlowCase.of("recover", () -> numbers.recover(failure -> 6), NUMBERS, NUMBERS)
                        .insteadOfFailure(List.of(1, 2, 3, 4, 5, 6)),
                FlowCase.of("recover", () -> numbers.recover(RuntimeException.class, failure -> 6), NUMBERS, NUMBERS)
                        .described("of a class that is meant")
                        .insteadOfFailure(List.of(1, 2, 3, 4, 5, 6)),
                FlowCase.of("recover", () -> numbers.recover(IOException.class, failure -> 6), NUMBERS, NUMBERS)
                        .described("of another class")
                        .beforeFailure(NUMBERS),
                FlowCase.of("doOnError", () -> numbers.doOnError(failure -> {}), NUMBERS, NUMBERS)
                        .beforeFailure(NUMBERS),
                FlowCase.of("recoverWith", () -> numbers.recoverWith(failure -> Source.of(6, 7)), NUMBERS, NUMBERS)
                        .insteadOfFailure(List.of(1, 2, 3, 4, 5, 6, 7)),
                FlowCase.of("recoverWith", () -> numbers.recoverWith(Source::failed), NUMBERS, NUMBERS)
                        .described("by a source that fails")
                        .beforeFailure(NUMBERS),
                FlowCase.of(
                                "recoverWithRetries",
                                () -> numbers.recoverWithRetries(2, failure -> Source.of(6, 7)),
                                NUMBERS,
                                NUMBERS)
                        .insteadOfFailure(List.of(1, 2, 3, 4, 5, 6, 7)),
                FlowCase.of(
                                "recoverWithRetries",
                                () -> numbers.recoverWithRetries(
                                        2, failure -> Source.single(6).concat(Source.failed(failure))),
                                NUMBERS,
                                NUMBERS)
                        .described("by sources that fail")
                        .beforeFailure(List.of(1, 2, 3, 4, 5, 6, 6)),
                FlowCase.of(
                                "mapError",
                                () -> numbers.mapError(failure -> new RuntimeException("other", failure)),
                                NUMBERS,
                                NUMBERS)
                        .beforeFailure(NUMBERS),
                FlowCase.of("onErrorComplete", numbers::onErrorComplete, NUMBERS, NUMBERS)
                        .insteadOfFailure(NUMBERS),
                FlowCase.of(
                                "onErrorComplete",
                                () -> numbers.onErrorComplete(IllegalStateException.class),
                                NUMBERS,
                                NUMBERS)
                        .described("of a class that is meant")
                        .insteadOfFailure(NUMBERS),
                FlowCase.of("onErrorComplete", () -> numbers.onErrorComplete(IOException.class), NUMBERS, NUMBERS)
                        .described("of another class")
                        .beforeFailure(NUMBERS),
                FlowCase.of("onErrorComplete", () -> numbers.onErrorComplete(failure -> false), NUMBERS, NUMBERS)
                        .described("on a condition that does not hold")
                        .beforeFailure(NUMBERS),
                FlowCase.of(
                        "onErrorContinue",
                        () -> numbers.map(n -> 12 / (n - 3)).onErrorContinue(failure -> {}),
                        NUMBERS,
                        List.of(-6, -12, 12, 6)),
                FlowCase.of("retrying", () -> numbers.via(retryingBelow(20, 9)), NUMBERS, List.of(31, 23, 31, 39, 23)),
                FlowCase.of("retrying", () -> numbers.via(retryingBelow(20, 1)), NUMBERS, List.of(7, 11, 15, 19, 23))
                        .described("until retries are used up"));
    }

    /** Adds its double and one more to an element until it is large enough. */
    private static Flow<Integer, Integer, ?> retryingBelow(int enough, int maxRetries) {
        return Flow.retrying(
                maxRetries,
                Backoff.NONE,
                Flow.of((Integer n) -> n * 2 + 1),
                (n, made) -> made < enough ? Optional.of(made) : Optional.empty());
    }
}
