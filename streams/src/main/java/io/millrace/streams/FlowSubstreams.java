package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.GroupBySettings;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingPredicate;
import io.millrace.streams.operator.substreams.ExpandRecursivelyStage;
import io.millrace.streams.operator.substreams.FlatMapStage;
import io.millrace.streams.operator.substreams.GroupByStage;
import io.millrace.streams.operator.substreams.PrefixAndTailStage;
import io.millrace.streams.operator.substreams.SplitStage;
import io.millrace.streams.operator.substreams.SwitchMapStage;
import java.util.List;

/** The operators of a {@link Flow} for streams of streams. */
abstract class FlowSubstreams<I, O, M> extends FlowJunctions<I, O, M> {
    FlowSubstreams(Blueprint blueprint) {
        super(blueprint);
    }

    /** Splits by key, with at most so many keys: each key has a substream of its own, in which order is kept. */
    public <K> SubstreamsFlow<I, K, O, M> groupBy(int maxSubstreams, ThrowingFunction<? super O, ? extends K> key) {
        return groupBy(GroupBySettings.of(maxSubstreams), key);
    }

    /** Splits by key: each key has a substream of its own, in which order is kept. */
    public <K> SubstreamsFlow<I, K, O, M> groupBy(
            GroupBySettings settings, ThrowingFunction<? super O, ? extends K> key) {
        return new SubstreamsFlow<>(via(new GroupByStage<K, O, KeyedSource<K, O>>(settings, key, KeyedSource::of)));
    }

    /** Splits before each element for which the condition holds; the substreams' keys are their numbers, from 0. */
    public SubstreamsFlow<I, Long, O, M> splitWhen(ThrowingPredicate<? super O> condition) {
        return new SubstreamsFlow<>(via(SplitStage.<O, KeyedSource<Long, O>>before(condition, KeyedSource::of)));
    }

    /** Splits behind each element for which the condition holds; the substreams' keys are their numbers, from 0. */
    public SubstreamsFlow<I, Long, O, M> splitAfter(ThrowingPredicate<? super O> condition) {
        return new SubstreamsFlow<>(via(SplitStage.<O, KeyedSource<Long, O>>behind(condition, KeyedSource::of)));
    }

    /** Emits one pair: the first elements, as many as there are up to this count, and a source of all others. */
    public Flow<I, Pair<List<O>, Source<O, NotUsed>>, M> prefixAndTail(int count) {
        return via(new PrefixAndTailStage<O, Source<O, NotUsed>>(count, Source::fromGraph));
    }

    /** Passes all elements, the first included, through the flow that the function makes of the first. */
    public <P> Flow<I, P, M> switchOnFirst(
            ThrowingFunction<? super O, ? extends Graph<? extends FlowShape<? super O, P>, ?>> function) {
        return prefixAndTail(1).via(Blueprints.<O, P>switchOnFirst(function));
    }

    /** Emits the elements of the source that the function makes of each element, one source after the other. */
    public <P> Flow<I, P, M> flatMapConcat(
            ThrowingFunction<? super O, ? extends Graph<? extends SourceShape<? extends P>, ?>> function) {
        return via(new FlatMapStage<O, P>("flatMapConcat", 1, Blueprints.inner(function)));
    }

    /** Emits the elements of the sources that the function makes of the elements, as they come, so many at once, at least 1. */
    public <P> Flow<I, P, M> flatMapMerge(
            int breadth, ThrowingFunction<? super O, ? extends Graph<? extends SourceShape<? extends P>, ?>> function) {
        return via(new FlatMapStage<O, P>("flatMapMerge", breadth, Blueprints.inner(function)));
    }

    /** Emits the elements of the source that the function makes of the newest element; the one before is cancelled. */
    public <P> Flow<I, P, M> switchMap(
            ThrowingFunction<? super O, ? extends Graph<? extends SourceShape<? extends P>, ?>> function) {
        return via(new SwitchMapStage<O, P>(Blueprints.inner(function)));
    }

    /**
     * Emits each element, then what the function makes of each of them, then what it makes of each of those, and so on:
     * a tree, level by level. What waits to be expanded is kept, without a bound.
     */
    public Flow<I, O, M> expandRecursively(
            ThrowingFunction<? super O, ? extends Graph<? extends SourceShape<? extends O>, ?>> function) {
        return via(new ExpandRecursivelyStage<O>(Blueprints.inner(function)));
    }
}
