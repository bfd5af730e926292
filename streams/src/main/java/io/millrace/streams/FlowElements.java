package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.engine.plan.BlueprintGraph;
import io.millrace.streams.failure.StreamLimitReachedException;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Outcome;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Signal;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingConsumer;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingPredicate;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.graph.ThrowingToLongFunction;
import io.millrace.streams.graph.Timestamped;
import io.millrace.streams.operator.elements.AggregateWithBoundaryStage;
import io.millrace.streams.operator.elements.DefaultIfEmptyStage;
import io.millrace.streams.operator.elements.DematerializeStage;
import io.millrace.streams.operator.elements.DistinctStage;
import io.millrace.streams.operator.elements.DoFinallyStage;
import io.millrace.streams.operator.elements.DoOnCompleteStage;
import io.millrace.streams.operator.elements.DoOnNextStage;
import io.millrace.streams.operator.elements.DropRepeatedStage;
import io.millrace.streams.operator.elements.DropStage;
import io.millrace.streams.operator.elements.DropWhileStage;
import io.millrace.streams.operator.elements.FilterStage;
import io.millrace.streams.operator.elements.FoldStage;
import io.millrace.streams.operator.elements.GroupedStage;
import io.millrace.streams.operator.elements.GroupedWeightedStage;
import io.millrace.streams.operator.elements.IntersperseStage;
import io.millrace.streams.operator.elements.LimitStage;
import io.millrace.streams.operator.elements.LimitWeightedStage;
import io.millrace.streams.operator.elements.MapConcatStage;
import io.millrace.streams.operator.elements.MapStage;
import io.millrace.streams.operator.elements.MapWithResourceStage;
import io.millrace.streams.operator.elements.MaterializeStage;
import io.millrace.streams.operator.elements.ScanStage;
import io.millrace.streams.operator.elements.SkipLastStage;
import io.millrace.streams.operator.elements.SkipUntilSignalStage;
import io.millrace.streams.operator.elements.SlidingStage;
import io.millrace.streams.operator.elements.StatefulMapStage;
import io.millrace.streams.operator.elements.TakeStage;
import io.millrace.streams.operator.elements.TakeUntilSignalStage;
import io.millrace.streams.operator.elements.TakeWhileStage;
import io.millrace.streams.operator.elements.TimestampStage;
import io.millrace.streams.operator.elements.ZipWithIndexStage;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The operators of a {@link Flow} for what is done to each element. */
abstract class FlowElements<I, O, M> extends BlueprintGraph<FlowShape<I, O>, M> {
    FlowElements(Blueprint blueprint) {
        super(blueprint);
    }

    /** Replaces each element by what the function makes of it. */
    public <P> Flow<I, P, M> map(ThrowingFunction<? super O, ? extends P> function) {
        return via(new MapStage<O, P>(function));
    }

    /** Lets through the elements for which the condition holds. */
    public Flow<I, O, M> filter(ThrowingPredicate<? super O> condition) {
        return via(new FilterStage<O>(condition));
    }

    /** Replaces each element by any number of elements. */
    public <P> Flow<I, P, M> mapConcat(ThrowingFunction<? super O, ? extends Iterable<? extends P>> function) {
        return via(new MapConcatStage<O, P>(function));
    }

    /** Lets the first elements through, then completes and cancels. */
    public Flow<I, O, M> take(long count) {
        return via(new TakeStage<O>(count));
    }

    /** Lets elements through until the condition fails for one, which is dropped, then completes and cancels. */
    public Flow<I, O, M> takeWhile(ThrowingPredicate<? super O> condition) {
        return via(new TakeWhileStage<O>(condition, false));
    }

    /** Lets elements through up to and including the first for which the condition fails, then completes and cancels. */
    public Flow<I, O, M> takeThrough(ThrowingPredicate<? super O> condition) {
        return via(new TakeWhileStage<O>(condition, true));
    }

    /** Drops the first elements. */
    public Flow<I, O, M> drop(long count) {
        return via(new DropStage<O>(count));
    }

    /** Drops elements until the condition fails for one. */
    public Flow<I, O, M> dropWhile(ThrowingPredicate<? super O> condition) {
        return via(new DropWhileStage<O>(condition));
    }

    /** Lets so many elements through; one more fails the stream with a {@link StreamLimitReachedException}. */
    public Flow<I, O, M> limit(long most) {
        return via(new LimitStage<O>(most));
    }

    /** Emits lists of so many elements each, at least 1, and what is left when upstream completes. */
    public Flow<I, List<O>, M> grouped(int size) {
        return via(new GroupedStage<O>(size));
    }

    /** Pairs each element with its index, from 0. */
    public Flow<I, Pair<O, Long>, M> zipWithIndex() {
        return via(new ZipWithIndexStage<O>());
    }

    /** Emits one result at the end: what the function makes of the elements, one by one; fails if there are none. */
    public Flow<I, O, M> reduce(ThrowingBiFunction<? super O, ? super O, ? extends O> function) {
        return via(FoldStage.reduce(function));
    }

    /**
     * Replaces each element by what the function makes of it and of a state, which it replaces too. The state is made
     * for each run; when upstream completes, one more element may be made of the last.
     */
    public <S, P> Flow<I, P, M> statefulMap(
            Supplier<? extends S> initial,
            ThrowingBiFunction<? super S, ? super O, Pair<S, P>> function,
            ThrowingFunction<? super S, Optional<P>> atEnd) {
        return via(new StatefulMapStage<S, O, P>(initial, function, atEnd));
    }

    /** Emits the zero, and then for each element what the function makes of the last result and the element. */
    public <P> Flow<I, P, M> scan(P zero, ThrowingBiFunction<? super P, ? super O, ? extends P> function) {
        return via(new ScanStage<O, P>(zero, function));
    }

    /** Emits one result at the end: what the function makes, one by one, of the zero and the elements. */
    public <P> Flow<I, P, M> fold(P zero, ThrowingBiFunction<? super P, ? super O, ? extends P> function) {
        return via(FoldStage.<O, P>fold(zero, function));
    }

    /** Lets through the elements for which the condition does not hold. */
    public Flow<I, O, M> filterNot(ThrowingPredicate<? super O> condition) {
        return via(new FilterStage<O>(condition.negate()));
    }

    /** Lets through the elements of this type. */
    public <P> Flow<I, P, M> collectType(Class<P> type) {
        return filter(type::isInstance).map(type::cast);
    }

    /**
     * Replaces each element by what the function makes of it and of a resource. That is made when a run starts and
     * closed exactly once, however the run ends; when upstream completes, closing it may make one more element.
     */
    public <R, P> Flow<I, P, M> mapWithResource(
            ThrowingSupplier<? extends R> create,
            ThrowingBiFunction<? super R, ? super O, ? extends P> function,
            ThrowingFunction<? super R, Optional<P>> close) {
        return via(new MapWithResourceStage<R, O, P>(create, function, close));
    }

    /** Lets elements through up to and including the first for which the condition holds, then completes and cancels. */
    public Flow<I, O, M> takeUntil(ThrowingPredicate<? super O> condition) {
        return takeThrough(condition.negate());
    }

    /** Lets elements through until the signal emits or completes, then completes and cancels. */
    public Flow<I, O, M> takeUntil(Graph<? extends SourceShape<?>, ?> signal) {
        return joined(signal, new TakeUntilSignalStage<O>());
    }

    /** Drops elements until the signal emits or completes. */
    public Flow<I, O, M> skipUntil(Graph<? extends SourceShape<?>, ?> signal) {
        return joined(signal, new SkipUntilSignalStage<O>());
    }

    /** Lets elements through that cost so much in all; more fails the stream with a {@link StreamLimitReachedException}. */
    public Flow<I, O, M> limitWeighted(long most, ThrowingToLongFunction<? super O> cost) {
        return via(new LimitWeightedStage<O>(most, cost));
    }

    /** Drops elements that are equal to an earlier one, all of which it keeps. */
    public Flow<I, O, M> distinct() {
        return distinct(element -> element);
    }

    /** Drops elements whose key is equal to that of an earlier one; it keeps all keys. */
    public Flow<I, O, M> distinct(ThrowingFunction<? super O, ?> key) {
        return via(new DistinctStage<O>(key));
    }

    /** Drops elements that are equal to the one before. */
    public Flow<I, O, M> dropRepeated() {
        return dropRepeated(Object::equals);
    }

    /** Drops elements that are the same, as the function says, as the last one that was let through. */
    public Flow<I, O, M> dropRepeated(ThrowingBiFunction<? super O, ? super O, Boolean> same) {
        return via(new DropRepeatedStage<O>(same));
    }

    /** Emits this element between any two. */
    public Flow<I, O, M> intersperse(O between) {
        return via(new IntersperseStage<O>(Optional.empty(), between, Optional.empty()));
    }

    /** Emits an element at the beginning, one between any two, and one at the end. */
    public Flow<I, O, M> intersperse(O start, O between, O end) {
        return via(new IntersperseStage<O>(Optional.of(start), between, Optional.of(end)));
    }

    /**
     * Emits lists of so many elements, each list beginning so many elements after the last, and when upstream completes
     * a shorter one if there are elements left that were in none.
     */
    public Flow<I, List<O>, M> sliding(int size, int step) {
        return via(new SlidingStage<O>(size, step));
    }

    /** Emits lists that weigh so much at most, or have one element, and what is left when upstream completes. */
    public Flow<I, List<O>, M> groupedWeighted(long mostWeight, ThrowingToLongFunction<? super O> weigh) {
        return via(new GroupedWeightedStage<O>(mostWeight, weigh));
    }

    /**
     * Adds elements to an aggregate until the function that does so says true, and emits what it harvests of that; the
     * next element begins another one. What has been added when upstream completes is harvested, too.
     */
    public <A, P> Flow<I, P, M> aggregateWithBoundary(
            ThrowingSupplier<? extends A> allocate,
            ThrowingBiFunction<? super A, ? super O, Pair<A, Boolean>> aggregate,
            ThrowingFunction<? super A, ? extends P> harvest) {
        return via(new AggregateWithBoundaryStage<A, O, P>(allocate, aggregate, harvest));
    }

    /** Emits elements and the end, be it completion or failure, as values, then completes. */
    public Flow<I, Signal<O>, M> materialize() {
        return via(new MaterializeStage<O>());
    }

    /** Emits, completes or fails as the signal says that the function makes of an element. */
    public <P> Flow<I, P, M> dematerialize(ThrowingFunction<? super O, Signal<P>> signal) {
        return via(new DematerializeStage<O, P>(signal));
    }

    /** Pairs each element with the time at which it comes, on the clock of the runtime. */
    public Flow<I, Timestamped<O>, M> timestamp() {
        return via(new TimestampStage<O>());
    }

    /** Emits this element when upstream completes without any. */
    public Flow<I, O, M> defaultIfEmpty(O element) {
        return via(new DefaultIfEmptyStage<O>(element));
    }

    /** Drops the last elements: each waits until so many have come after it. */
    public Flow<I, O, M> skipLast(int count) {
        return via(new SkipLastStage<O>(count));
    }

    /** Shows each element to the consumer before it goes on. */
    public Flow<I, O, M> doOnNext(ThrowingConsumer<? super O> consumer) {
        return via(new DoOnNextStage<O>(consumer));
    }

    /** Does something when upstream has completed, before downstream is told. */
    public Flow<I, O, M> doOnComplete(Runnable action) {
        return via(new DoOnCompleteStage<O>(action));
    }

    /** Tells the consumer, once, how the stream has ended here: completed, failed or cancelled. */
    public Flow<I, O, M> doFinally(ThrowingConsumer<? super Outcome> consumer) {
        return via(new DoFinallyStage<O>(consumer));
    }

    /** Joins this and another source by a stage of two inlets; keeps this value. */
    abstract <P> Flow<I, P, M> joined(Graph<? extends SourceShape<?>, ?> other, Graph<?, ?> stage);

    /** Passes the elements through a flow; keeps this value. */
    public abstract <P> Flow<I, P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow);
}
