package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepStage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Does something when upstream has completed, before downstream is told. */
public final class DoOnCompleteStage<T> extends StepStage<T, T> {
    public DoOnCompleteStage(Runnable action) {
        super("doOnComplete", new Body<>(Objects.requireNonNull(action, "action")));
    }

    private record Body<T>(Runnable action) implements Step<T> {
        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            return element;
        }

        @Override
        public boolean asksUserAtEnd() {
            return true;
        }

        @Override
        public Object flush(@Nullable Object state) {
            action.run();
            return NOTHING;
        }
    }
}
