package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepStage;
import org.jspecify.annotations.Nullable;

/** Lets every element through. */
public final class IdentityStage<T> extends StepStage<T, T> {
    public IdentityStage() {
        super("identity", new Body<>());
    }

    private record Body<T>() implements Step<T> {
        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            return element;
        }
    }
}
