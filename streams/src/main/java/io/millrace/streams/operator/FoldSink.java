package io.millrace.streams.operator;

import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.engine.ElementRun;
import io.millrace.streams.engine.Step;
import io.millrace.streams.engine.StepControl;
import io.millrace.streams.engine.Terminal;
import io.millrace.streams.engine.TerminalStage;
import org.jspecify.annotations.Nullable;

/** Makes one result, one by one, of the zero and the elements. */
public final class FoldSink<I, A> extends TerminalStage<I, A> {
    public FoldSink(A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function) {
        super("fold", new Body<>(new Folding<>(zero, function)));
    }

    private record Body<I>(Accumulation<I> folding) implements Terminal<I> {
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
        public boolean takesRuns() {
            return true;
        }

        @Override
        @SuppressWarnings("unchecked")
        public void applyAll(ElementRun<?> elements, @Nullable Object[] states) throws Exception {
            while (elements.hasNext()) {
                folding.add((I) elements.next(), states, 0);
            }
        }

        @Override
        public Object result(@Nullable Object state) {
            return folding.result(state);
        }
    }
}
