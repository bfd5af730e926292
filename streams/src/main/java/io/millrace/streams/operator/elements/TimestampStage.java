package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.Timestamped;
import org.jspecify.annotations.Nullable;

/** Pairs each element with the time at which it comes. */
public final class TimestampStage<T> extends StepStage<T, Timestamped<T>> {
    public TimestampStage() {
        super("timestamp", new Body<>());
    }

    private record Body<T>() implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return control;
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            return new Timestamped<>(element, ((StepControl) Step.state(states, at)).nowNanos());
        }
    }
}
