// Rendered by bin/render-fluent from FlowJunctions.java, which is the one to change.
package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingPredicate;
import io.millrace.streams.operator.junctions.ConcatStage;
import io.millrace.streams.operator.junctions.FirstOfStage;
import io.millrace.streams.operator.junctions.MergeLatestStage;
import io.millrace.streams.operator.junctions.MergeStage;
import io.millrace.streams.operator.junctions.OrElseStage;
import io.millrace.streams.operator.junctions.OrderedMergeStage;
import io.millrace.streams.operator.junctions.WithLatestFromStage;
import io.millrace.streams.operator.junctions.ZipAllStage;
import io.millrace.streams.operator.junctions.ZipLatestStage;
import io.millrace.streams.operator.junctions.ZipWithStage;
import io.millrace.streams.schedule.Scheduler;
import java.util.Comparator;
import java.util.List;

/** The operators of a {@link Source} for more than one stream. */
abstract class SourceJunctions<O, M> extends SourceFailures<O, M> {
    SourceJunctions(Blueprint blueprint) {
        super(blueprint);
    }

    /** Emits everything of this, then everything of the other source; keeps this value. */
    public Source<O, M> concat(Graph<? extends SourceShape<? extends O>, ?> other) {
        return joined(other, new ConcatStage<O>(2));
    }

    /** Emits the elements of this and of the other source as they come; keeps this value. */
    public Source<O, M> merge(Graph<? extends SourceShape<? extends O>, ?> other) {
        return joined(other, new MergeStage<O>(2));
    }

    /** Pairs the elements of this and of the other source; completes with the first that does; keeps this value. */
    public <P> Source<Pair<O, P>, M> zip(Graph<? extends SourceShape<P>, ?> other) {
        return joined(other, ZipWithStage.<O, P>pairs());
    }

    /** Makes one element of one of this and one of the other source; completes with the first that does. */
    public <P, R> Source<R, M> zipWith(
            Graph<? extends SourceShape<P>, ?> other, ThrowingBiFunction<? super O, ? super P, ? extends R> function) {
        return joined(other, new ZipWithStage<O, P, R>(function));
    }

    /** Sends every element to this sink, too, at the pace of the slower. */
    public Source<O, M> alsoTo(Graph<? extends SinkShape<? super O>, ?> sink) {
        return via(Junctions.<O>also(sink));
    }

    /** Sends the elements for which the condition holds to this sink, and lets the others through. */
    public Source<O, M> divertTo(
            Graph<? extends SinkShape<? super O>, ?> sink, ThrowingPredicate<? super O> condition) {
        return via(Junctions.<O>divert(sink, condition));
    }

    /** Shares the elements out among so many copies of a flow and merges what they emit, as it comes. */
    public <P> Source<P, M> balance(int workerCount, Graph<? extends FlowShape<? super O, P>, ?> worker) {
        return via(Junctions.share(workerCount, Junctions.<O, P>flow(worker)));
    }

    /** Emits the elements of both as they come; when both wait, those of the preferred one; keeps this value. */
    public Source<O, M> mergePreferred(Graph<? extends SourceShape<? extends O>, ?> other, boolean preferOther) {
        return joined(other, OrderedMergeStage.<O>preferring(preferOther ? 1 : 0, 2));
    }

    /** Emits the elements of both as they come; when both wait, as often as their weights say; keeps this value. */
    public Source<O, M> mergePrioritized(
            Graph<? extends SourceShape<? extends O>, ?> other, int weight, int otherWeight) {
        return joined(other, OrderedMergeStage.<O>prioritized(weight, otherWeight));
    }

    /** Makes one sorted stream of this and the other source, both of which must be sorted; keeps this value. */
    public Source<O, M> mergeSorted(
            Graph<? extends SourceShape<? extends O>, ?> other, Comparator<? super O> comparator) {
        return joined(other, OrderedMergeStage.<O>sorted(2, comparator));
    }

    /**
     * Puts the elements of both in the order of their numbers, which begin with 0 and have no gaps; fails when one is
     * missing or comes twice; keeps this value.
     */
    public Source<O, M> mergeSequence(
            Graph<? extends SourceShape<? extends O>, ?> other, ThrowingFunction<? super O, Long> number) {
        return joined(other, OrderedMergeStage.<O>sequence(2, number));
    }

    /**
     * Emits the elements of both as they come; a failure is reported when both have ended, a second one as suppressed by
     * the first; keeps this value.
     */
    public Source<O, M> mergeDelayError(Graph<? extends SourceShape<? extends O>, ?> other) {
        return joined(other, OrderedMergeStage.<O>delayingErrors(2));
    }

    /** For each element of either, once both have had one, emits the latest of this and of the other; keeps this value. */
    public Source<List<O>, M> mergeLatest(Graph<? extends SourceShape<? extends O>, ?> other) {
        return joined(other, new MergeLatestStage<O>(2));
    }

    /**
     * Emits so many elements of this, then so many of the other, and again; goes on with one when the other has
     * completed, or, if eager, completes at its turn; keeps this value.
     */
    public Source<O, M> interleave(
            Graph<? extends SourceShape<? extends O>, ?> other, int segmentSize, boolean eagerComplete) {
        return joined(other, OrderedMergeStage.<O>interleaved(2, segmentSize, eagerComplete));
    }

    /**
     * Emits everything of this, then everything of the other; a failure is reported when both have ended, a second one as
     * suppressed by the first; keeps this value.
     */
    public Source<O, M> concatDelayError(Graph<? extends SourceShape<? extends O>, ?> other) {
        return joined(other, new ConcatStage<O>(2, true));
    }

    /** Emits everything of this, then everything of the other source, which is run only when its turn comes. */
    public Source<O, M> concatLazy(Graph<? extends SourceShape<? extends O>, ?> other) {
        return concat(Source.<O, Object>lazy(() -> Junctions.widened(other)));
    }

    /** Emits everything of the other source, then everything of this; keeps this value. */
    public Source<O, M> prepend(Graph<? extends SourceShape<? extends O>, ?> other) {
        return via(Junctions.<O>before(other));
    }

    /** Emits the elements of this, or, if there is none, those of the other source; keeps this value. */
    public Source<O, M> orElse(Graph<? extends SourceShape<? extends O>, ?> other) {
        return joined(other, new OrElseStage<O>());
    }

    /**
     * Emits the elements of the one that is the first to have an element, and cancels the other; one that fails or ends
     * before leaves the race; keeps this value.
     */
    public Source<O, M> firstOf(Graph<? extends SourceShape<? extends O>, ?> other) {
        return joined(other, new FirstOfStage<O>(2));
    }

    /**
     * Pairs the latest of this and of the other source, when one of them is new and downstream asks; completes with the
     * first that does; keeps this value.
     */
    public <P> Source<Pair<O, P>, M> zipLatest(Graph<? extends SourceShape<P>, ?> other) {
        return joined(other, ZipLatestStage.<O, P>pairs());
    }

    /** Makes one element of the latest of this and of the other source, when one of them is new and downstream asks. */
    public <P, R> Source<R, M> zipLatestWith(
            Graph<? extends SourceShape<P>, ?> other, ThrowingBiFunction<? super O, ? super P, ? extends R> function) {
        return joined(other, new ZipLatestStage<O, P, R>(function));
    }

    /** Pairs the elements of both until both have completed; a default stands for what is missing; keeps this value. */
    public <P> Source<Pair<O, P>, M> zipAll(Graph<? extends SourceShape<P>, ?> other, O thisDefault, P otherDefault) {
        return joined(other, new ZipAllStage<O, P>(thisDefault, otherDefault));
    }

    /** Pairs each element with the latest of the other source; drops those before its first; keeps this value. */
    public <P> Source<Pair<O, P>, M> withLatestFrom(Graph<? extends SourceShape<P>, ?> other) {
        return joined(other, WithLatestFromStage.<O, P>pairs());
    }

    /** Makes one element of each and the latest of the other source; drops those before its first; keeps this value. */
    public <P, R> Source<R, M> withLatestFrom(
            Graph<? extends SourceShape<P>, ?> other, ThrowingBiFunction<? super O, ? super P, ? extends R> function) {
        return joined(other, new WithLatestFromStage<O, P, R>(function));
    }

    /** Sends every element to each of these sinks, too, at the pace of the slowest. */
    public Source<O, M> alsoToAll(List<? extends Graph<? extends SinkShape<? super O>, ?>> sinks) {
        return via(Junctions.<O>alsoAll(sinks));
    }

    /** Gives every element to this sink, too, which neither slows nor ends this stream: what it is too slow for is dropped. */
    public Source<O, M> wireTap(Graph<? extends SinkShape<? super O>, ?> sink) {
        return via(Junctions.<O>tap(sink));
    }

    /** Shares the elements out among so many copies of a flow, each an island of its own, and merges what they emit. */
    public <P> Source<P, M> parallel(int railCount, Graph<? extends FlowShape<? super O, P>, ?> rail) {
        return via(Junctions.rails(railCount, Junctions.<O, P>flow(rail).async()));
    }

    /** As {@link #parallel(int, Graph)}, with each copy on a worker of this scheduler. */
    public <P> Source<P, M> parallel(
            int railCount, Scheduler scheduler, Graph<? extends FlowShape<? super O, P>, ?> rail) {
        return via(Junctions.rails(railCount, Junctions.<O, P>flow(rail).async(scheduler)));
    }

    /**
     * Deals the elements out to so many copies of a flow, each an island of its own, and puts what they emit in the order
     * of the elements; the flow must emit exactly one element for each.
     */
    public <P> Source<P, M> parallelOrdered(int railCount, Graph<? extends FlowShape<? super O, P>, ?> rail) {
        return via(Junctions.deal(railCount, Junctions.<O, P>flow(rail)));
    }
}
