package io.millrace.streams.operator;

import io.millrace.streams.Flow;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An operator with one inlet and one outlet, an input and what must come out of it.
 *
 * @param operator the name of the operator's method
 * @param described what sets this case apart from others of the operator
 * @param flow made anew for each check
 * @param input at least one element
 * @param expected what comes of the input, in order
 * @param expectedOfNothing what comes of an empty input
 * @param expectedBeforeFailure what comes when upstream fails after the input, which then fails downstream, too; if it
 *     is empty, the failure must come through after any part of what is expected
 * @param completesOnFailure whether downstream completes when upstream fails, or has completed before
 */
public record FlowCase<I, O>(
        String operator,
        String described,
        Supplier<Flow<I, O, ?>> flow,
        List<I> input,
        List<O> expected,
        List<O> expectedOfNothing,
        Optional<List<O>> expectedBeforeFailure,
        boolean completesOnFailure) {

    /** A case whose empty input gives nothing, and through which a failure comes. */
    public static <I, O> FlowCase<I, O> of(
            String operator, Supplier<Flow<I, O, ?>> flow, List<I> input, List<O> expected) {
        return new FlowCase<>(operator, "", flow, input, expected, List.of(), Optional.empty(), false);
    }

    /** The same case, told apart from another one of its operator. */
    public FlowCase<I, O> described(String words) {
        return new FlowCase<>(
                operator, words, flow, input, expected, expectedOfNothing, expectedBeforeFailure, completesOnFailure);
    }

    /** The same case with other elements for an empty input. */
    public FlowCase<I, O> ofNothing(List<O> elements) {
        return new FlowCase<>(
                operator, described, flow, input, expected, elements, expectedBeforeFailure, completesOnFailure);
    }

    /** The same case: exactly these elements come before a failure of upstream, and then the failure. */
    public FlowCase<I, O> beforeFailure(List<O> elements) {
        return new FlowCase<>(
                operator, described, flow, input, expected, expectedOfNothing, Optional.of(elements), false);
    }

    /** The same case: exactly these elements come although upstream fails, and then the completion. */
    public FlowCase<I, O> insteadOfFailure(List<O> elements) {
        return new FlowCase<>(
                operator, described, flow, input, expected, expectedOfNothing, Optional.of(elements), true);
    }

    @Override
    public String toString() {
        return described.isEmpty() ? operator : operator + " " + described;
    }
}
