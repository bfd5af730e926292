package io.millrace.streams.operator.junctions;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.WaitingElements;
import java.util.Comparator;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * The elements go by their numbers, from 0 and without gaps. Each is asked for its number once: those whose number is known
 * stand in a heap, the others have come since.
 */
final class SequenceOrder<T> implements MergeOrder<T> {
    private static final String NAME = "mergeSequence";

    private final ThrowingFunction<? super T, Long> number;
    private final int[] fresh;
    private final Queue<Numbered> numbered = new PriorityQueue<>(Numbered.BY_NUMBER);
    private int freshCount;
    private long next;

    SequenceOrder(ThrowingFunction<? super T, Long> number, int inputCount) {
        this.number = number;
        fresh = new int[inputCount];
    }

    /** The number of the element that waits at an input. */
    private record Numbered(long number, int input) {
        static final Comparator<Numbered> BY_NUMBER =
                Comparator.comparingLong(Numbered::number).thenComparingInt(Numbered::input);
    }

    @Override
    public void arrived(int input) {
        fresh[freshCount++] = input;
    }

    @Override
    public int next(WaitingElements<T> waiting) throws Exception {
        for (int i = 0; i < freshCount; i++) {
            T element = Objects.requireNonNull(waiting.element(fresh[i]), "element");
            numbered.add(new Numbered(Step.required(number.apply(element), NAME), fresh[i]));
        }
        freshCount = 0;
        Numbered lowest = numbered.peek();
        if (lowest != null && lowest.number() <= next) {
            return take(lowest);
        }
        if (waiting.areAllThere()) {
            throw new IllegalStateException(
                    NAME + ": number " + next + " is missing; every input has ended or is beyond it");
        }
        return WAIT;
    }

    private int take(Numbered lowest) {
        if (lowest.number() < next) {
            throw new IllegalStateException(NAME + ": number " + lowest.number() + " came at input " + lowest.input()
                    + ", but the next one is " + next + "; numbers begin with 0, and each comes once");
        }
        numbered.remove();
        next++;
        return lowest.input();
    }
}
