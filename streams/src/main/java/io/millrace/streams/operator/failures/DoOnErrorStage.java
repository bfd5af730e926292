package io.millrace.streams.operator.failures;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingConsumer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shows a failure of upstream to a consumer, then lets it through. */
public final class DoOnErrorStage<T> extends StepStage<T, T> {
    public DoOnErrorStage(ThrowingConsumer<? super Throwable> consumer) {
        super("doOnError", new Body<>(Objects.requireNonNull(consumer, "consumer")));
    }

    private record Body<T>(ThrowingConsumer<? super Throwable> consumer) implements Step<T> {
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
            consumer.accept(failure);
            return new Failing(failure);
        }
    }
}
