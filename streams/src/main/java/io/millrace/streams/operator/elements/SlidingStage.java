package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Emits lists of so many elements, each list so many elements further on, and at the end a shorter one if there are
 * elements that were in none.
 */
public final class SlidingStage<T> extends StepStage<T, List<T>> {
    public SlidingStage(int size, int step) {
        super("sliding", new Body<>(size, step));
    }

    private record Body<T>(int size, int step) implements Step<T> {
        Body {
            if (size < 1) {
                throw new IllegalArgumentException("a window has at least one element, not " + size);
            }
            if (step < 1) {
                throw new IllegalArgumentException("a window moves on by at least one element, not " + step);
            }
        }

        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Window<T>();
        }

        @Override
        @SuppressWarnings("unchecked")
        public Object apply(T element, @Nullable Object[] states, int at) {
            Window<T> window = (Window<T>) Step.state(states, at);
            if (window.toSkip > 0) {
                window.toSkip--;
                return NOTHING;
            }
            window.elements.add(element);
            window.isEmitted = false;
            return window.elements.size() == size ? window.emit(step) : NOTHING;
        }

        @Override
        public Object flush(@Nullable Object state) {
            Window<?> window = (Window<?>) Objects.requireNonNull(state, "state");
            return window.isEmitted ? NOTHING : List.copyOf(window.elements);
        }
    }

    private static final class Window<T> {
        private final Queue<T> elements = new ArrayDeque<>();
        private int toSkip;
        private boolean isEmitted = true;

        List<T> emit(int step) {
            List<T> emitted = List.copyOf(elements);
            int dropped = Math.min(step, emitted.size());
            for (int i = 0; i < dropped; i++) {
                elements.remove();
            }
            toSkip = step - dropped;
            isEmitted = true;
            return emitted;
        }
    }
}
