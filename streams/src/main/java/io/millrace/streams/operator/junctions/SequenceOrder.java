package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.WaitingElements;

/** The elements go by their numbers, from 0 and without gaps. */
final class SequenceOrder<T> implements MergeOrder<T> {
    private final ThrowingFunction<? super T, Long> number;
    private long next;

    SequenceOrder(ThrowingFunction<? super T, Long> number) {
        this.number = number;
    }

    @Override
    public int next(WaitingElements<T> waiting) throws Exception {
        for (int i = 0; i < waiting.inputCount(); i++) {
            T element = waiting.element(i);
            if (element == null) {
                continue;
            }
            long found = Step.required(number.apply(element), "mergeSequence");
            if (found < next) {
                throw new IllegalStateException("mergeSequence: number " + found + " came at input " + i
                        + ", but the next one is " + next + "; numbers begin with 0, and each comes once");
            }
            if (found == next) {
                next++;
                return i;
            }
        }
        if (waiting.areAllThere()) {
            throw new IllegalStateException(
                    "mergeSequence: number " + next + " is missing; every input has ended or is beyond it");
        }
        return WAIT;
    }
}
