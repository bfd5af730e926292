package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.Pair;
import org.jspecify.annotations.Nullable;

/** Pairs each element with its index, from 0. */
public final class ZipWithIndexStage<T> extends StepStage<T, Pair<T, Long>> {
    public ZipWithIndexStage() {
        super("zipWithIndex", new Body<>());
    }

    private record Body<T>() implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Index();
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            return new Pair<>(element, ((Index) Step.state(states, at)).next++);
        }
    }

    private static final class Index {
        private long next;
    }
}
