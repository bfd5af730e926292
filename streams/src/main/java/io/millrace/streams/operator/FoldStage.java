package io.millrace.streams.operator;

import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.engine.Step;
import io.millrace.streams.engine.StepControl;
import io.millrace.streams.engine.StepStage;
import org.jspecify.annotations.Nullable;

/** Emits one result when upstream completes: what a function makes, one by one, of the zero and the elements. */
public final class FoldStage<I, A> extends StepStage<I, A> {
    public FoldStage(A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function) {
        super("fold", new Body<>(new Folding<>(zero, function)));
    }

    private record Body<I>(Accumulation<I> folding) implements Step<I> {
        @Override
        public boolean isStateful() {
            return true;
        }

        @Override
        public Object newState(StepControl control) {
            return folding.begin();
        }

        @Override
        public Object apply(I element, @Nullable Object[] states, int at) throws Exception {
            folding.add(element, states, at);
            return NOTHING;
        }

        @Override
        public Step<I> whenHot(boolean takesNewObjects) {
            return takesNewObjects ? new Body<>(folding.unboxed()) : this;
        }

        @Override
        public Object flush(@Nullable Object state) {
            return folding.result(state);
        }
    }
}
