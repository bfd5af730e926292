package io.millrace.streams.operator.failures;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingFunction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Replaces a failure of upstream, if it is of some class, by one last element. */
public final class RecoverStage<T, E extends Throwable> extends StepStage<T, T> {
    public RecoverStage(Class<E> type, ThrowingFunction<? super E, ? extends T> function) {
        super(
                "recover",
                new Body<>(Objects.requireNonNull(type, "type"), Objects.requireNonNull(function, "function")));
    }

    private record Body<T, E extends Throwable>(Class<E> type, ThrowingFunction<? super E, ? extends T> function)
            implements Step<T> {
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
            return type.isInstance(failure)
                    ? Step.required(function.apply(type.cast(failure)), "recover")
                    : new Failing(failure);
        }
    }
}
