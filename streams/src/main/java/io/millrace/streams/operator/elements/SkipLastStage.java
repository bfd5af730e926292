package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Drops the last elements: each waits until so many have come after it. */
public final class SkipLastStage<T> extends StepStage<T, T> {
    public SkipLastStage(int count) {
        super("skipLast", new Body<>(checked(count)));
    }

    private static int checked(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("count must be at least 0, not " + count);
        }
        return count;
    }

    private record Body<T>(int count) implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new ArrayDeque<T>();
        }

        @Override
        @SuppressWarnings("unchecked") // it is what newState has made
        public Object apply(T element, @Nullable Object[] states, int at) {
            Queue<T> waiting = (Queue<T>) Step.state(states, at);
            waiting.add(element);
            return waiting.size() > count ? waiting.remove() : NOTHING;
        }
    }
}
