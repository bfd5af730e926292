package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.NewObjects;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.operator.Accumulated;
import io.millrace.streams.operator.Accumulation;
import io.millrace.streams.operator.Folding;
import org.jspecify.annotations.Nullable;

/** Emits one result when upstream completes: what a function makes of the elements, one by one. */
public final class FoldStage<I, A> extends StepStage<I, A> {
    private FoldStage(Folding<I, A> folding) {
        super(folding.operator(), new Body<>(folding));
    }

    /** Begins with a zero. */
    public static <I, A> FoldStage<I, A> fold(A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function) {
        return new FoldStage<>(Folding.fold(zero, function));
    }

    /** Begins with the first element; fails with NoSuchElementException when there is none. */
    public static <T> FoldStage<T, T> reduce(ThrowingBiFunction<? super T, ? super T, ? extends T> function) {
        return new FoldStage<>(Folding.reduce(function));
    }

    /** What its forms have in common but the calls for each element: those stand in each of them. */
    private sealed interface Fold<I> extends Step<I> {
        Accumulation<I> accumulation();

        @Override
        default boolean isStateful() {
            return true;
        }

        @Override
        default Object newState(StepControl control) {
            return accumulation().begin();
        }

        @Override
        default Object function() {
            return accumulation().function();
        }

        @Override
        default Object flush(@Nullable Object state) {
            return accumulation().result(state);
        }
    }

    private record Body<I>(Accumulation<I> accumulation) implements Fold<I> {
        @Override
        public Object apply(I element, @Nullable Object[] states, int at) throws Exception {
            accumulation.add(element, states, at);
            return NOTHING;
        }

        @Override
        public Object applyWith(Object function, I element, @Nullable Object[] states, int at) throws Exception {
            accumulation.addWith(function, element, states, at);
            return NOTHING;
        }

        @Override
        public Step<I> specialised(NewObjects seen) {
            if (seen.taken()) {
                return new Unboxed<>(accumulation.unboxed(true));
            }
            return seen.kept() ? new ResultUnboxed<>(accumulation.unboxed(false)) : this;
        }

        @Override
        public @Nullable Object kept(Object state) {
            return Accumulated.of(state).get();
        }
    }

    /** For lines that are compiled for themselves; code of its own, as in {@link io.millrace.streams.operator.sinks.FoldSink}. */
    private record Unboxed<I>(Accumulation<I> accumulation) implements Fold<I> {
        @Override
        public Object apply(I element, @Nullable Object[] states, int at) throws Exception {
            accumulation.add(element, states, at);
            return NOTHING;
        }
    }

    /** The same for elements that were objects before. */
    private record ResultUnboxed<I>(Accumulation<I> accumulation) implements Fold<I> {
        @Override
        public Object apply(I element, @Nullable Object[] states, int at) throws Exception {
            accumulation.add(element, states, at);
            return NOTHING;
        }
    }
}
