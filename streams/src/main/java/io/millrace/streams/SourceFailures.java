// Rendered by bin/render-fluent from FlowFailures.java, which is the one to change.
package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingConsumer;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingPredicate;
import io.millrace.streams.operator.failures.DoOnErrorStage;
import io.millrace.streams.operator.failures.MapErrorStage;
import io.millrace.streams.operator.failures.OnErrorCompleteStage;
import io.millrace.streams.operator.failures.RecoverStage;
import io.millrace.streams.operator.failures.RecoverWithStage;
import io.millrace.streams.operator.failures.Succession;
import java.util.Objects;

/** The operators of a {@link Source} for what becomes of failures. */
abstract class SourceFailures<O, M> extends SourceTiming<O, M> {
    SourceFailures(Blueprint blueprint) {
        super(blueprint);
    }

    /** Replaces a failure of upstream by one last element. */
    public Source<O, M> recover(ThrowingFunction<? super Throwable, ? extends O> function) {
        return recover(Throwable.class, function);
    }

    /** Replaces a failure of upstream that is of this class by one last element. */
    public <E extends Throwable> Source<O, M> recover(
            Class<E> type, ThrowingFunction<? super E, ? extends O> function) {
        return via(new RecoverStage<O, E>(type, function));
    }

    /** Replaces what upstream fails with by another failure. */
    public Source<O, M> mapError(ThrowingFunction<? super Throwable, ? extends Throwable> function) {
        return via(new MapErrorStage<O>(function));
    }

    /** Shows a failure of upstream to the consumer before it goes on. */
    public Source<O, M> doOnError(ThrowingConsumer<? super Throwable> consumer) {
        return via(new DoOnErrorStage<O>(consumer));
    }

    /** Goes on with another source when upstream fails; what that fails with goes through. */
    public Source<O, M> recoverWith(
            ThrowingFunction<? super Throwable, ? extends Graph<? extends SourceShape<? extends O>, ?>> function) {
        Objects.requireNonNull(function, "function");
        return via(new RecoverWithStage<O>("recoverWith", () -> Succession.ofFunction(1, function)));
    }

    /** Goes on with another source when upstream or the source before fails, so many times, at least 1. */
    public Source<O, M> recoverWithRetries(
            int attempts,
            ThrowingFunction<? super Throwable, ? extends Graph<? extends SourceShape<? extends O>, ?>> function) {
        Objects.requireNonNull(function, "function");
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, not " + attempts);
        }
        return via(new RecoverWithStage<O>("recoverWithRetries", () -> Succession.ofFunction(attempts, function)));
    }

    /** Completes when upstream fails. */
    public Source<O, M> onErrorComplete() {
        return onErrorComplete(failure -> true);
    }

    /** Completes when upstream fails with a failure of this class. */
    public Source<O, M> onErrorComplete(Class<? extends Throwable> type) {
        return onErrorComplete(type::isInstance);
    }

    /** Completes when upstream fails with a failure for which the condition holds. */
    public Source<O, M> onErrorComplete(ThrowingPredicate<? super Throwable> condition) {
        return via(new OnErrorCompleteStage<O>(condition));
    }
}
