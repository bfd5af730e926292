package io.millrace.streams.operator;

import io.millrace.streams.Flow;
import io.millrace.streams.Keep;
import io.millrace.testkit.Operator;
import java.util.List;
import java.util.Set;

/** Operators that watch and steer a stream and let its elements alone. */
@Operator({
    "watchTermination",
    "monitor",
    "killSwitch",
    "log",
    "checkpoint",
    "named",
    "async",
    "doOnNext",
    "doOnComplete",
    "doFinally"
})
final class ControlContractTest extends FlowContract {
    private static final List<Integer> NUMBERS = List.of(1, 2, 3, 4, 5);

    @Override
    protected Set<Promptness> promptness(FlowCase<?, ?> one) {
        return one.operator().equals("async") ? Promptness.WITH_A_BOUNDARY_BEFORE : super.promptness(one);
    }

    @Override
    protected List<FlowCase<?, ?>> cases() {
        Flow<Integer, Integer, ?> numbers = Flow.<Integer>create();
        return List.of(
                FlowCase.of("watchTermination", () -> numbers.watchTermination(Keep.right()), NUMBERS, NUMBERS)
                        .beforeFailure(NUMBERS),
                FlowCase.of("monitor", () -> numbers.monitor(Keep.right()), NUMBERS, NUMBERS)
                        .beforeFailure(NUMBERS),
                FlowCase.of("killSwitch", () -> numbers.killSwitch(Keep.right()), NUMBERS, NUMBERS)
                        .beforeFailure(NUMBERS),
                FlowCase.of("log", () -> numbers.log("numbers"), NUMBERS, NUMBERS)
                        .beforeFailure(NUMBERS),
                FlowCase.of("checkpoint", () -> numbers.checkpoint("here"), NUMBERS, NUMBERS)
                        .beforeFailure(NUMBERS),
                FlowCase.of("named", () -> numbers.named("numbers"), NUMBERS, NUMBERS)
                        .beforeFailure(NUMBERS),
                FlowCase.of("doOnNext", () -> numbers.doOnNext(n -> {}), NUMBERS, NUMBERS)
                        .beforeFailure(NUMBERS),
                FlowCase.of("doOnComplete", () -> numbers.doOnComplete(() -> {}), NUMBERS, NUMBERS)
                        .beforeFailure(NUMBERS),
                FlowCase.of("doFinally", () -> numbers.doFinally(outcome -> {}), NUMBERS, NUMBERS)
                        .beforeFailure(NUMBERS),
                FlowCase.of("async", numbers::async, NUMBERS, NUMBERS).beforeFailure(NUMBERS));
    }
}
