package io.millrace.streams.operator;

import io.millrace.streams.engine.segment.StepPart;
import io.millrace.streams.graph.ThrowingToLongFunction;
import java.util.Objects;

/** How much elements weigh, and how much weight is allowed. */
public record Weighing<T>(String operator, long most, ThrowingToLongFunction<? super T> weigh) implements StepPart {
    public Weighing {
        Objects.requireNonNull(weigh, "weigh");
        if (most < 0) {
            throw new IllegalArgumentException("the limit of " + operator + " must be at least 0, not " + most);
        }
    }

    public long weight(T element) throws Exception {
        long weight = weigh.applyAsLong(element);
        if (weight < 0) {
            throw new IllegalArgumentException(
                    operator + ": the weight of an element must be at least 0, not " + weight);
        }
        return weight;
    }

    /** Whether so much more is too much; never overflows. */
    public boolean isExceeded(long soFar, long more) {
        return more > most - soFar;
    }
}
