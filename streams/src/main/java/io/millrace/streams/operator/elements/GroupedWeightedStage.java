package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingToLongFunction;
import io.millrace.streams.operator.Weighing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Emits lists that weigh no more than a limit, unless one element alone does, and what is left at the end. */
public final class GroupedWeightedStage<T> extends StepStage<T, List<T>> {
    public GroupedWeightedStage(long mostWeight, ThrowingToLongFunction<? super T> weigh) {
        super("groupedWeighted", new Body<>(new Weighing<>("groupedWeighted", mostWeight, weigh)));
    }

    private record Body<T>(Weighing<T> weights) implements Step<T> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Group<T>();
        }

        @Override
        @SuppressWarnings("unchecked")
        public Object apply(T element, @Nullable Object[] states, int at) throws Exception {
            Group<T> group = (Group<T>) Step.state(states, at);
            long weight = weights.weight(element);
            boolean full = !group.elements.isEmpty()
                    && (group.weight >= weights.most() || weights.isExceeded(group.weight, weight));
            Object emitted = full ? group.take() : NOTHING;
            group.elements.add(element);
            group.weight += weight;
            return emitted == NOTHING && group.weight >= weights.most() ? group.take() : emitted;
        }

        @Override
        public Object flush(@Nullable Object state) {
            Group<?> group = (Group<?>) Objects.requireNonNull(state, "state");
            return group.elements.isEmpty() ? NOTHING : group.take();
        }
    }

    private static final class Group<T> {
        private List<T> elements = new ArrayList<>();
        private long weight;

        List<T> take() {
            List<T> taken = Collections.unmodifiableList(elements);
            elements = new ArrayList<>();
            weight = 0;
            return taken;
        }
    }
}
