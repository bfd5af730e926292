package io.millrace.streams.engine.segment;

import org.jspecify.annotations.Nullable;

/**
 * A step that calls a function of the user's for each element.
 *
 * @param <I> what it takes
 * @param <F> the function
 */
public interface FunctionStep<I, F> extends Step<I> {
    @Override
    F function();

    /** {@link #apply(Object, Object[], int)} with its function, which a hot segment knows better than the step does. */
    Object apply(F function, I element, @Nullable Object[] states, int at) throws Exception;

    @Override
    default Object apply(I element, @Nullable Object[] states, int at) throws Exception {
        return apply(function(), element, states, at);
    }

    @Override
    @SuppressWarnings("unchecked")
    default Object applyWith(Object function, I element, @Nullable Object[] states, int at) throws Exception {
        return apply((F) function, element, states, at);
    }
}
