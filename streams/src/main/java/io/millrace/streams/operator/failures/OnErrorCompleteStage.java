package io.millrace.streams.operator.failures;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingPredicate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Completes when upstream fails with a failure for which the condition holds. */
public final class OnErrorCompleteStage<T> extends StepStage<T, T> {
    public OnErrorCompleteStage(ThrowingPredicate<? super Throwable> condition) {
        super("onErrorComplete", new Body<>(Objects.requireNonNull(condition, "condition")));
    }

    private record Body<T>(ThrowingPredicate<? super Throwable> condition) implements Step<T> {
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
            return condition.test(failure) ? NOTHING : new Failing(failure);
        }
    }
}
