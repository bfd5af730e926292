package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.failure.NullElementException;
import org.jspecify.annotations.Nullable;

/**
 * A synchronous operator with one inlet and one outlet as data: one immutable object for all runs, whose state, if it
 * has any, is an object per run. Steps that follow each other become one {@link Segment}. A record is best: its fields
 * are constants to the compiler of the virtual machine once the segment is specialised. One that calls a function of the user's for each element is a {@link
 * FunctionStep}.
 *
 * @param <I> what it takes
 */
public interface Step<I> extends StepPart {
    /** What a step returns that passes nothing on. */
    Object NOTHING = new Object();

    /**
     * What becomes of an element: what is passed on, or {@link #NOTHING}.
     *
     * @param states the states of the run's steps
     * @param at the place of this step's state there
     */
    Object apply(I element, @Nullable Object[] states, int at) throws Exception;

    /** The function of the user's that it calls for each element, or itself if it calls none; see {@link FunctionStep}. */
    default Object function() {
        return this;
    }

    /** The same as {@link #apply}, given its function. */
    default Object applyWith(Object function, I element, @Nullable Object[] states, int at) throws Exception {
        return apply(element, states, at);
    }

    /**
     * This step, in the form in which the class of one hot segment alone calls it; what it does is the same.
     */
    default Step<I> specialised(NewObjects seen) {
        return this;
    }

    /** What its function has made of all elements so far, or null, if this form of it keeps that as an object. */
    @Nullable
    default Object kept(Object state) {
        return null;
    }

    /** Whether it has a state. */
    default boolean isStateful() {
        return false;
    }

    /** The state of a run, made with the run and again when supervision restarts the step. */
    default Object newState(StepControl control) {
        throw new IllegalStateException("a step without state was asked for one");
    }

    /** Called once, when the run starts. */
    default void start(@Nullable Object state) {}

    /** Whether it emits something before its first element. */
    default boolean hasPrelude() {
        return false;
    }

    /** What it emits before its first element. */
    default Object prelude(@Nullable Object state) {
        return NOTHING;
    }

    /** What it emits when upstream has completed, or {@link #NOTHING}. */
    default Object flush(@Nullable Object state) throws Exception {
        return NOTHING;
    }

    /** Whether {@link #flush} calls a function of the user's, which may take its time. */
    default boolean asksUserAtEnd() {
        return false;
    }

    /** Whether it has a say when what is above it fails. */
    default boolean seesFailures() {
        return false;
    }

    /** What it makes of a failure from above: one last element, {@link #NOTHING} for a completion, or a failure again. */
    default Object afterFailure(Throwable failure) throws Exception {
        return new Failing(failure);
    }

    /** A failure that goes on. */
    record Failing(Throwable failure) {}

    /** The state of the step at this place. */
    @SuppressWarnings("NullAway") // a stateful step has a state at its place
    static Object state(@Nullable Object[] states, int at) {
        return states[at];
    }

    /** What an iterator gave, which must not be null. */
    static Object given(@Nullable Object element) {
        if (element == null) {
            throw new NullElementException("", "the iterator gave null");
        }
        return element;
    }

    /** A result of user code, which must not be null. */
    static <O> O required(@Nullable O result, String operator) {
        if (result == null) {
            throw new NullElementException(operator, "the function returned null");
        }
        return result;
    }
}
