package io.millrace.streams.operator.failures;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingFunction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Replaces what upstream fails with by another failure. */
public final class MapErrorStage<T> extends StepStage<T, T> {
    public MapErrorStage(ThrowingFunction<? super Throwable, ? extends Throwable> function) {
        super("mapError", new Body<>(Objects.requireNonNull(function, "function")));
    }

    private record Body<T>(ThrowingFunction<? super Throwable, ? extends Throwable> function) implements Step<T> {
        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            return element;
        }

        @Override
        public boolean seesFailures() {
            return true;
        }

        @Override
        public Object afterFailure(Throwable failure) throws Exception {
            return new Failing(Step.required(function.apply(failure), "mapError"));
        }
    }
}
