package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.segment.FunctionStep;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Replaces each element by what a function makes of it and a state, which the function replaces too. */
public final class StatefulMapStage<S, I, O> extends StepStage<I, O> {
    public StatefulMapStage(
            Supplier<? extends S> initial,
            ThrowingBiFunction<? super S, ? super I, Pair<S, O>> function,
            ThrowingFunction<? super S, Optional<O>> atEnd) {
        super(
                "statefulMap",
                new Body<>(
                        Objects.requireNonNull(initial, "initial"),
                        Objects.requireNonNull(function, "function"),
                        Objects.requireNonNull(atEnd, "atEnd")));
    }

    private record Body<S, I, O>(
            Supplier<? extends S> initial,
            ThrowingBiFunction<? super S, ? super I, Pair<S, O>> function,
            ThrowingFunction<? super S, Optional<O>> atEnd)
            implements FunctionStep<I> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return new Last<S>(initial.get());
        }

        @Override
        @SuppressWarnings("unchecked") // it is its own
        public Object applyWith(Object exact, I element, @Nullable Object[] states, int at) throws Exception {
            Last<S> last = (Last<S>) Step.state(states, at);
            Pair<S, O> made = Step.required(
                    ((ThrowingBiFunction<? super S, ? super I, Pair<S, O>>) exact).apply(last.value, element),
                    "statefulMap");
            O result = NotNull.checked(made.second(), "statefulMap", "the pair holds null");
            last.value = made.first(); // of an element that is not dropped
            return result;
        }

        @Override
        public boolean asksUserAtEnd() {
            return true;
        }

        @Override
        @SuppressWarnings("unchecked")
        public Object flush(@Nullable Object state) throws Exception {
            Optional<O> last =
                    Step.required(atEnd.apply(((Last<S>) Objects.requireNonNull(state, "state")).value), "statefulMap");
            return last.isPresent() ? last.get() : NOTHING;
        }
    }

    private static final class Last<S> {
        private S value;

        Last(S value) {
            this.value = value;
        }
    }
}
