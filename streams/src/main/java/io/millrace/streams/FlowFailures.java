package io.millrace.streams;

import io.millrace.streams.operator.MapErrorStage;
import io.millrace.streams.operator.RecoverStage;

/** The operators of a {@link Flow} for what becomes of failures. */
abstract class FlowFailures<I, O, M> extends FlowTiming<I, O, M> {
    /** Replaces a failure of upstream by one last element. */
    public Flow<I, O, M> recover(ThrowingFunction<? super Throwable, ? extends O> function) {
        return via(new RecoverStage<O>(function));
    }

    /** Replaces what upstream fails with by another failure. */
    public Flow<I, O, M> mapError(ThrowingFunction<? super Throwable, ? extends Throwable> function) {
        return via(new MapErrorStage<O>(function));
    }
}
