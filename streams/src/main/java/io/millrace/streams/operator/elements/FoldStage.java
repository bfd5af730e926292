package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.ThrowingBiFunction;
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

    private record Body<I>(Accumulation<I> accumulation) implements Step<I> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return accumulation.begin();
        }

        @Override
        public Object apply(I element, @Nullable Object[] states, int at) throws Exception {
            accumulation.add(element, states, at);
            return NOTHING;
        }

        @Override
        public Object function() {
            return accumulation.function();
        }

        @Override
        public Object applyWith(Object function, I element, @Nullable Object[] states, int at) throws Exception {
            accumulation.addWith(function, element, states, at);
            return NOTHING;
        }

        @Override
        public Step<I> specialised(boolean takesNewObjects) {
            return takesNewObjects ? new Body<>(accumulation.unboxed()) : this;
        }

        @Override
        public Object flush(@Nullable Object state) {
            return accumulation.result(state);
        }
    }
}
