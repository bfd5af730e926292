package io.millrace.streams.operator.sinks;

import io.millrace.streams.engine.batch.ElementBatch;
import io.millrace.streams.engine.segment.NewObjects;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.engine.segment.StepControl;
import io.millrace.streams.engine.segment.Terminal;
import io.millrace.streams.engine.segment.TerminalStage;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.operator.Accumulated;
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

    /** What its forms have in common but the calls for each element: those stand in each of them. */
    private sealed interface Fold<I> extends Terminal<I> {
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
        default boolean takesBatches() {
            return true;
        }

        @Override
        @SuppressWarnings("unchecked")
        default void applyAll(ElementBatch<?> elements, @Nullable Object[] states) throws Exception {
            while (elements.hasNext()) {
                accumulation().add((I) elements.next(), states, 0);
            }
        }

        @Override
        default Object result(@Nullable Object state) {
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

    /** For lines that are compiled for themselves. It has code of its own: if it shared that of other forms, it would be too large to be inlined where those run, too. */
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
