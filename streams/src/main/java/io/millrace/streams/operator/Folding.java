package io.millrace.streams.operator;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.ThrowingBiFunction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How elements become one result, one by one, beginning with a zero or, where there is none, with the first of them. */
public record Folding<I, A>(
        String operator, @Nullable A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function)
        implements Accumulation<I> {
    public static <I, A> Folding<I, A> fold(A zero, ThrowingBiFunction<? super A, ? super I, ? extends A> function) {
        Objects.requireNonNull(zero, "zero");
        Objects.requireNonNull(function, "function");
        return new Folding<>("fold", zero, function);
    }

    public static <T> Folding<T, T> reduce(ThrowingBiFunction<? super T, ? super T, ? extends T> function) {
        Objects.requireNonNull(function, "function");
        return new Folding<>("reduce", null, function);
    }

    @Override
    public Object begin() {
        return new Accumulated(zero);
    }

    @Override
    public void add(I element, @Nullable Object[] states, int at) throws Exception {
        addWith(function, element, states, at);
    }

    @Override
    @SuppressWarnings("unchecked")
    public void addWith(Object exact, I element, @Nullable Object[] states, int at) throws Exception {
        Accumulated accumulated = Accumulated.of(states, at);
        A before = (A) accumulated.get();
        accumulated.keep(
                before == null
                        ? element
                        : Step.required(
                                ((ThrowingBiFunction<? super A, ? super I, ? extends A>) exact).apply(before, element),
                                operator));
    }

    @Override
    @SuppressWarnings("unchecked")
    public Accumulation<I> unboxed(boolean takesNewObjects) {
        ThrowingBiFunction<Object, Object, Object> any = (ThrowingBiFunction<Object, Object, Object>) function;
        return (Accumulation<I>)
                (takesNewObjects ? new UnboxedFolding(operator, zero, any) : new UnboxedResult(operator, zero, any));
    }
}
