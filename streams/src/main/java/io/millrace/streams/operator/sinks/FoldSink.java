package io.millrace.streams.operator.sinks;

import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.Terminal;
import io.millrace.streams.engine.segment.TerminalStage;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.operator.Accumulation;
import io.millrace.streams.operator.Folding;
import io.millrace.streams.operator.Latest;
import org.jspecify.annotations.Nullable;

/** Makes one result of the elements, one by one. */
public final class FoldSink<I, A> extends TerminalStage<I, A> {
    private FoldSink(String operator, Accumulation<I> accumulation) {
        super(operator, new Body<>(accumulation));
    }

    /** Begins with a zero. */
    public static <I, A> FoldSink<I, A> fold(A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function) {
        return new FoldSink<>("fold", Folding.fold(zero, function));
    }

    /** Begins with the first element; fails with NoSuchElementException when there is none. */
    public static <T> FoldSink<T, T> reduce(ThrowingBiFunction<? super T, ? super T, ? extends T> function) {
        return new FoldSink<>("reduce", Folding.reduce(function));
    }

    /** Takes the last element; fails with NoSuchElementException when there is none. */
    public static <T> FoldSink<T, T> last() {
        return new FoldSink<>("last", new Latest<>());
    }

    private record Body<I>(Accumulation<I> accumulation) implements Terminal<I> {
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
        public boolean takesBatches() {
            return true;
        }

        @Override
        @SuppressWarnings("unchecked")
        public void applyAll(ElementBatch<?> elements, @Nullable Object[] states) throws Exception {
            while (elements.hasNext()) {
                accumulation.add((I) elements.next(), states, 0);
            }
        }

        @Override
        public Object result(@Nullable Object state) {
            return accumulation.result(state);
        }
    }
}
