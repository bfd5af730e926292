package io.millrace.streams.operator.failures;

import io.millrace.streams.engine.Step;
import io.millrace.streams.engine.StepStage;
import io.millrace.streams.graph.ThrowingFunction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Replaces a failure of upstream by one last element. */
public final class RecoverStage<T> extends StepStage<T, T> {
    public RecoverStage(ThrowingFunction<? super Throwable, ? extends T> function) {
        super("recover", new Body<>(Objects.requireNonNull(function, "function")));
    }

    private record Body<T>(ThrowingFunction<? super Throwable, ? extends T> function) implements Step<T> {
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
            return Step.required(function.apply(failure), "recover");
        }
    }
}
