package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Emits one element when upstream completes without any. */
public final class DefaultIfEmptyStage<T> extends StepStage<T, T> {
    public DefaultIfEmptyStage(T element) {
        super("defaultIfEmpty", new Body<>(Objects.requireNonNull(element, "element")));
    }

    private record Body<T>(T element) implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Seen();
        }

        @Override
        public Object apply(T passing, @Nullable Object[] states, int at) {
            ((Seen) Step.state(states, at)).any = true;
            return passing;
        }

        @Override
        public Object flush(@Nullable Object state) {
            return state instanceof Seen seen && seen.any ? NOTHING : element;
        }
    }

    private static final class Seen {
        private boolean any;
    }
}
