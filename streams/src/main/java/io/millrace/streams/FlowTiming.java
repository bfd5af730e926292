package io.millrace.streams;

import io.millrace.streams.operator.BufferStage;
import io.millrace.streams.operator.TimeoutStage;
import java.time.Duration;

/** The operators of a {@link Flow} for rate and time. */
abstract class FlowTiming<I, O, M> extends FlowFutures<I, O, M> {
    /** Holds up to so many elements that downstream has not asked for yet. */
    public Flow<I, O, M> buffer(int capacity, OverflowStrategy strategy) {
        return via(new BufferStage<O>(capacity, strategy));
    }

    /**
     * Fails with a {@link java.util.concurrent.TimeoutException} when an element that was asked for does not come
     * within so long; while downstream asks for nothing, no time passes.
     */
    public Flow<I, O, M> timeout(Duration timeout) {
        return via(new TimeoutStage<O>(timeout));
    }
}
