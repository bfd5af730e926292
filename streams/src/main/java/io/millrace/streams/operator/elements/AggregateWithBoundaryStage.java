package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.segment.FunctionStep;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingSupplier;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects elements in an aggregate until the function that adds one says that it is complete, and emits its harvest. */
public final class AggregateWithBoundaryStage<A, I, O> extends StepStage<I, O> {
    private static final String NAME = "aggregateWithBoundary";

    public AggregateWithBoundaryStage(
            ThrowingSupplier<? extends A> allocate,
            ThrowingBiFunction<? super A, ? super I, Pair<A, Boolean>> aggregate,
            ThrowingFunction<? super A, ? extends O> harvest) {
        super(
                NAME,
                new Body<A, I, O>(
                        Objects.requireNonNull(allocate, "allocate"),
                        Objects.requireNonNull(aggregate, "aggregate"),
                        Objects.requireNonNull(harvest, "harvest")));
    }

    private record Body<A, I, O>(
            ThrowingSupplier<? extends A> allocate,
            ThrowingBiFunction<? super A, ? super I, Pair<A, Boolean>> aggregate,
            ThrowingFunction<? super A, ? extends O> harvest)
            implements FunctionStep<I> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Open<A>();
        }

        @Override
        public ThrowingBiFunction<? super A, ? super I, Pair<A, Boolean>> function() {
            return aggregate;
        }

        @Override
        @SuppressWarnings("unchecked") // it is its own
        public Object applyWith(Object exact, I element, @Nullable Object[] states, int at) throws Exception {
            Open<A> open = (Open<A>) Step.state(states, at);
            A current = open.aggregate == null ? Step.required(allocate.make(), NAME) : open.aggregate;
            Pair<A, Boolean> added = Step.required(
                    ((ThrowingBiFunction<? super A, ? super I, Pair<A, Boolean>>) exact).apply(current, element), NAME);
            boolean isComplete = NotNull.checked(added.second(), NAME, "the pair holds null");
            A next = NotNull.checked(added.first(), NAME, "the pair holds null");
            if (isComplete) {
                open.aggregate = null;
                return Step.required(harvest.apply(next), NAME);
            }
            open.aggregate = next;
            return NOTHING;
        }

        @Override
        public boolean asksUserAtEnd() {
            return true;
        }

        @Override
        @SuppressWarnings("unchecked")
        public Object flush(@Nullable Object state) throws Exception {
            A last = ((Open<A>) Objects.requireNonNull(state, "state")).aggregate;
            return last == null ? NOTHING : Step.required(harvest.apply(last), NAME);
        }
    }

    private static final class Open<A> {
        private @Nullable A aggregate;
    }
}
