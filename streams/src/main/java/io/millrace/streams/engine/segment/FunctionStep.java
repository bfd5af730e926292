package io.millrace.streams.engine.segment;

import org.jspecify.annotations.Nullable;

/**
 * A step that calls a function of the user's for each element. What it does stands in {@link #applyWith} alone, which a hot segment calls with nothing between: each
 * method in between is one more that the compiler of the virtual machine may have compiled for itself by then, with what other segments do in it, and then it
 * does not inline it any more.
 *
 * @param <I> what it takes
 */
public interface FunctionStep<I> extends Step<I> {
    @Override
    Object function();

    @Override
    Object applyWith(Object function, I element, @Nullable Object[] states, int at) throws Exception;

    @Override
    default Object apply(I element, @Nullable Object[] states, int at) throws Exception {
        return applyWith(function(), element, states, at);
    }
}
