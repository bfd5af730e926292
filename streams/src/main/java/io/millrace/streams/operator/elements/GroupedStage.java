package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.operator.Elements;
import java.util.Arrays;
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
            return new Group(size);
        }

        @Override
        public Object apply(T element, @Nullable Object[] states, int at) {
            return ((Group) Step.state(states, at)).add(element);
        }

        @Override
        public Object flush(@Nullable Object state) {
            return ((Group) Objects.requireNonNull(state, "state")).rest();
        }
    }

    private static final class Group {
        private static final int FIRST_PLACES = 16;
        private static final int MOST_PLACES = 1024;

        private final int size;
        private @Nullable Object[] elements;
        private int count;

        Group(int size) {
            this.size = size;
            elements = new Object[Math.min(size, FIRST_PLACES)];
        }

        Object add(Object element) {
            if (count == elements.length) {
                elements = Arrays.copyOf(elements, (int) Math.min(size, count * 2L));
            }
            elements[count++] = element;
            return count == size ? take(new Object[Math.min(size, MOST_PLACES)]) : Step.NOTHING;
        }

        private List<?> take(Object[] next) {
            List<?> taken = new Elements<>(elements);
            elements = next;
            count = 0;
            return taken;
        }

        Object rest() {
            if (count == 0) {
                return Step.NOTHING;
            }
            elements = Arrays.copyOf(elements, count);
            return take(new Object[1]);
        }
    }
}
