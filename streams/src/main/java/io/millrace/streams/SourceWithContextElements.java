// Rendered by bin/render-fluent from FlowWithContextElements.java, which is the one to change.
package io.millrace.streams;

import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingPredicate;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The operators of a {@link SourceWithContext}. */
abstract class SourceWithContextElements<O, C, M> {
    /** Replaces each element by what the function makes of it. */
    public <P> SourceWithContext<P, C, M> map(ThrowingFunction<? super O, ? extends P> function) {
        return via(ContextSteps.<O, P, C>map(function));
    }

    /** Replaces each context by what the function makes of it. */
    public <D> SourceWithContext<O, D, M> mapContext(ThrowingFunction<? super C, ? extends D> function) {
        return via(ContextSteps.<O, C, D>mapContext(function));
    }

    /** Lets through the elements for which the condition holds. */
    public SourceWithContext<O, C, M> filter(ThrowingPredicate<? super O> condition) {
        return via(ContextSteps.<O, C>filter(condition));
    }

    /** Lets through the elements for which the condition does not hold. */
    public SourceWithContext<O, C, M> filterNot(ThrowingPredicate<? super O> condition) {
        return via(ContextSteps.<O, C>filterNot(condition));
    }

    /** Lets through the elements of this class. */
    public <P> SourceWithContext<P, C, M> collectType(Class<P> type) {
        return via(ContextSteps.<O, P, C>collectType(type));
    }

    /** Replaces each element by any number of elements, which all carry its context. */
    public <P> SourceWithContext<P, C, M> mapConcat(
            ThrowingFunction<? super O, ? extends Iterable<? extends P>> function) {
        return via(ContextSteps.<O, P, C>mapConcat(function));
    }

    /** Replaces each element by the result of a future, so many at a time, at least 1, in the order of the elements. */
    public <P> SourceWithContext<P, C, M> mapAsync(
            int parallelism, ThrowingFunction<? super O, ? extends CompletionStage<P>> function) {
        return via(ContextSteps.<O, P, C>mapAsync(parallelism, function));
    }

    /** Emits lists of so many elements each, at least 1, with the lists of their contexts. */
    public SourceWithContext<List<O>, List<C>, M> grouped(int size) {
        return via(ContextSteps.<O, C>grouped(size));
    }

    /** Passes elements and contexts through a flow that looks after both. */
    public <P, D> SourceWithContext<P, D, M> via(FlowWithContext<? super O, ? super C, P, D, ?> flow) {
        return via(FlowWithContext.<O, C, P, D>narrowed(flow).asFlow());
    }

    /** Passes elements and contexts through an ordinary flow of pairs. */
    public abstract <P, D> SourceWithContext<P, D, M> via(
            Graph<? extends FlowShape<? super Pair<O, C>, Pair<P, D>>, ?> flow);
}
