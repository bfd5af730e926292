package io.millrace.streams;

import io.millrace.streams.operator.MapErrorStage;
import io.millrace.streams.operator.RecoverStage;

/** The operators of a {@link Source} for what becomes of failures. */
abstract class SourceFailures<O, M> extends SourceTiming<O, M> {
    /** Replaces a failure of upstream by one last element. */
    public Source<O, M> recover(ThrowingFunction<? super Throwable, ? extends O> function) {
        return via(new RecoverStage<O>(function));
    }

    /** Replaces what upstream fails with by another failure. */
    public Source<O, M> mapError(ThrowingFunction<? super Throwable, ? extends Throwable> function) {
        return via(new MapErrorStage<O>(function));
    }
}
