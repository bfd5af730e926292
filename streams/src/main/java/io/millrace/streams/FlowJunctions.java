package io.millrace.streams;

import io.millrace.streams.operator.ConcatStage;
import io.millrace.streams.operator.MergeStage;
import io.millrace.streams.operator.ZipWithStage;

/** The operators of a {@link Flow} for more than one stream. */
abstract class FlowJunctions<I, O, M> extends FlowFailures<I, O, M> {
    /** Emits everything of this, then everything of the other source; keeps this value. */
    public Flow<I, O, M> concat(Graph<? extends SourceShape<? extends O>, ?> other) {
        return Flow.ofBlueprint(Blueprints.joinFlow(blueprint(), other, new ConcatStage<O>(2)));
    }

    /** Emits the elements of this and of the other source as they come; keeps this value. */
    public Flow<I, O, M> merge(Graph<? extends SourceShape<? extends O>, ?> other) {
        return Flow.ofBlueprint(Blueprints.joinFlow(blueprint(), other, new MergeStage<O>(2)));
    }

    /** Pairs the elements of this and of the other source; completes with the first that does; keeps this value. */
    public <P> Flow<I, Pair<O, P>, M> zip(Graph<? extends SourceShape<P>, ?> other) {
        return Flow.ofBlueprint(Blueprints.joinFlow(blueprint(), other, ZipWithStage.<O, P>pairs()));
    }

    /** Makes one element of one of this and one of the other source; completes with the first that does. */
    public <P, R> Flow<I, R, M> zipWith(
            Graph<? extends SourceShape<P>, ?> other, ThrowingBiFunction<? super O, ? super P, ? extends R> function) {
        return Flow.ofBlueprint(Blueprints.joinFlow(blueprint(), other, new ZipWithStage<O, P, R>(function)));
    }

    /** Sends every element to this sink, too, at the pace of the slower. */
    public Flow<I, O, M> alsoTo(Graph<? extends SinkShape<? super O>, ?> sink) {
        return via(Junctions.<O>also(sink));
    }

    /** Sends the elements for which the condition holds to this sink, and lets the others through. */
    public Flow<I, O, M> divertTo(
            Graph<? extends SinkShape<? super O>, ?> sink, ThrowingPredicate<? super O> condition) {
        return via(Junctions.<O>divert(sink, condition));
    }

    /** Shares the elements out among so many copies of a flow and merges what they emit, as it comes. */
    public <P> Flow<I, P, M> balance(int workerCount, Graph<FlowShape<O, P>, ?> worker) {
        return via(Junctions.share(workerCount, worker));
    }
}
