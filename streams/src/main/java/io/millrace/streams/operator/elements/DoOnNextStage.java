package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.FunctionStep;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingConsumer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shows each element to a consumer, then lets it through. */
public final class DoOnNextStage<T> extends StepStage<T, T> {
    public DoOnNextStage(ThrowingConsumer<? super T> consumer) {
        super("doOnNext", new Body<>(Objects.requireNonNull(consumer, "consumer")));
    }

    private record Body<T>(ThrowingConsumer<? super T> consumer) implements FunctionStep<T> {
        @Override
        public ThrowingConsumer<? super T> function() {
            return consumer;
        }

        @Override
        @SuppressWarnings("unchecked") // it is its own
        public Object applyWith(Object exact, T element, @Nullable Object[] states, int at) throws Exception {
            ((ThrowingConsumer<? super T>) exact).accept(element);
            return element;
        }
    }
}
