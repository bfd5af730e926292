package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingConsumer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shows each element to a consumer, then lets it through. */
public final class DoOnNextStage<T> extends StepStage<T, T> {
    public DoOnNextStage(ThrowingConsumer<? super T> consumer) {
        super("doOnNext", new Body<>(Objects.requireNonNull(consumer, "consumer")));
    }

    private record Body<T>(ThrowingConsumer<? super T> consumer) implements Step<T> {
        @Override
        public Object apply(T element, @Nullable Object[] states, int at) throws Exception {
            consumer.accept(element);
            return element;
        }
    }
}
