package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.engine.island.SubstreamInput;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An {@link InnerSource} that has begun; belongs to the island of the stage that emits its elements. */
abstract sealed class ActiveSubstream<O> {
    /** Whether it stands in a queue of those with an element. */
    boolean isQueued;

    /** Whether its end has been seen, or it was ended: it counts no more. */
    boolean isClosed;

    /** Hears of what comes from outside. */
    @FunctionalInterface
    interface Listener<O> {
        /** There may be elements, or the end, after there was nothing. */
        void onSignal(ActiveSubstream<O> inner) throws Exception;
    }

    /** Whether it takes a function of the user's to tell if there is an element; it is asked only when what it gave is on its way. */
    abstract boolean asksUser();

    /** Whether there is an element; if not, it is over, or the listener will be called. */
    abstract boolean hasNext();

    /** Takes an element, of which there must be one. */
    abstract O next();

    /** Whether there is no element and there will be none. */
    abstract boolean isOver();

    /** What it has failed with, once it is over. */
    abstract @Nullable Throwable failure();

    /** Lets go of it once it is over, or ends it before. */
    abstract void cancel(Throwable cause);

    /** Elements that the stage makes itself, and then perhaps a failure. */
    static final class Looping<O> extends ActiveSubstream<O> {
        private final Iterator<? extends O> elements;
        private final @Nullable Throwable failure;

        Looping(Iterator<? extends O> elements) {
            this(elements, null);
        }

        Looping(Iterator<? extends O> elements, @Nullable Throwable failure) {
            this.elements = elements;
            this.failure = failure;
        }

        @Override
        boolean asksUser() {
            return true;
        }

        @Override
        boolean hasNext() {
            return elements.hasNext();
        }

        @Override
        O next() {
            return NotNull.checked(elements.next(), "", "the inner source gave null");
        }

        @Override
        boolean isOver() {
            return !elements.hasNext();
        }

        @Override
        @Nullable
        Throwable failure() {
            return failure;
        }

        @Override
        void cancel(Throwable cause) {
            // Nothing runs.
        }
    }

    /** Elements of a stream. */
    static final class Running<O> extends ActiveSubstream<O> {
        private @Nullable SubstreamInput<O> inflow;

        void runsInto(SubstreamInput<O> into) {
            inflow = into;
        }

        private SubstreamInput<O> inflow() {
            return Objects.requireNonNull(inflow, "inflow");
        }

        @Override
        boolean asksUser() {
            return false;
        }

        @Override
        boolean hasNext() {
            return inflow().hasNext();
        }

        @Override
        O next() {
            return inflow().next();
        }

        @Override
        boolean isOver() {
            return inflow().isDrained();
        }

        @Override
        @Nullable
        Throwable failure() {
            return inflow().failure();
        }

        @Override
        void cancel(Throwable cause) {
            if (inflow().isDrained()) {
                inflow().detach();
            } else {
                inflow().cancel(cause);
            }
        }
    }
}
