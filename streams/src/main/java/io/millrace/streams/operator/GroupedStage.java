package io.millrace.streams.operator;

import io.millrace.streams.engine.Step;
import io.millrace.streams.engine.StepControl;
import io.millrace.streams.engine.StepStage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Emits lists of so many elements each, and what is left when upstream completes. */
public final class GroupedStage<T> extends StepStage<T, List<T>> {
    public GroupedStage(int size) {
        super("grouped", new Body<>(size));
    }

    private record Body<T>(int size) implements Step<T> {
        Body {
            if (size < 1) {
                throw new IllegalArgumentException("a group has at least one element, not " + size);
            }
        }

        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Group<T>(size);
        }

        @Override
        @SuppressWarnings("unchecked")
        public Object apply(T element, @Nullable Object[] states, int at) {
            Group<T> group = (Group<T>) Step.state(states, at);
            group.elements.add(element);
            return group.elements.size() == size ? group.take(size) : NOTHING;
        }

        @Override
        public Object flush(@Nullable Object state) {
            Group<?> group = (Group<?>) Objects.requireNonNull(state, "state");
            return group.elements.isEmpty() ? NOTHING : group.take(1);
        }
    }

    private static final class Group<T> {
        private List<T> elements;

        Group(int size) {
            elements = new ArrayList<>(Math.min(size, 16));
        }

        List<T> take(int nextSize) {
            List<T> taken = Collections.unmodifiableList(elements);
            elements = new ArrayList<>(Math.min(nextSize, 1024));
            return taken;
        }
    }
}
