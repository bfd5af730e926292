// Rendered by bin/render-fluent from FlowFailures.java, which is the one to change.
package io.millrace.streams;

import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingConsumer;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingPredicate;

/** The operators of a {@link SubstreamsFlow} for what becomes of failures. */
abstract class SubstreamsFlowFailures<I, K, O, M> extends SubstreamsFlowTiming<I, K, O, M> {
    /** Replaces a failure of upstream by one last element. */
    public SubstreamsFlow<I, K, O, M> recover(ThrowingFunction<? super Throwable, ? extends O> function) {
        return via(Flow.<O>create().recover(function));
    }

    /** Replaces a failure of upstream that is of this class by one last element. */
    public <E extends Throwable> SubstreamsFlow<I, K, O, M> recover(
            Class<E> type, ThrowingFunction<? super E, ? extends O> function) {
        return via(Flow.<O>create().<E>recover(type, function));
    }

    /** Replaces what upstream fails with by another failure. */
    public SubstreamsFlow<I, K, O, M> mapError(ThrowingFunction<? super Throwable, ? extends Throwable> function) {
        return via(Flow.<O>create().mapError(function));
    }

    /** Shows a failure of upstream to the consumer before it goes on. */
    public SubstreamsFlow<I, K, O, M> doOnError(ThrowingConsumer<? super Throwable> consumer) {
        return via(Flow.<O>create().doOnError(consumer));
    }

    /** Goes on with another source when upstream fails; what that fails with goes through. */
    public SubstreamsFlow<I, K, O, M> recoverWith(
            ThrowingFunction<? super Throwable, ? extends Graph<? extends SourceShape<? extends O>, ?>> function) {
        return via(Flow.<O>create().recoverWith(function));
    }

    /** Goes on with another source when upstream or the source before fails, so many times, at least 1. */
    public SubstreamsFlow<I, K, O, M> recoverWithRetries(
            int attempts,
            ThrowingFunction<? super Throwable, ? extends Graph<? extends SourceShape<? extends O>, ?>> function) {
        return via(Flow.<O>create().recoverWithRetries(attempts, function));
    }

    /** Completes when upstream fails. */
    public SubstreamsFlow<I, K, O, M> onErrorComplete() {
        return via(Flow.<O>create().onErrorComplete());
    }

    /** Completes when upstream fails with a failure of this class. */
    public SubstreamsFlow<I, K, O, M> onErrorComplete(Class<? extends Throwable> type) {
        return via(Flow.<O>create().onErrorComplete(type));
    }

    /** Completes when upstream fails with a failure for which the condition holds. */
    public SubstreamsFlow<I, K, O, M> onErrorComplete(ThrowingPredicate<? super Throwable> condition) {
        return via(Flow.<O>create().onErrorComplete(condition));
    }
}
