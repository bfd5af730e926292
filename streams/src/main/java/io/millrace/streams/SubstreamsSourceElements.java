// Rendered by bin/render-fluent from FlowElements.java, which is the one to change.
package io.millrace.streams;

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
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The operators of a {@link SubstreamsSource} for what is done to each element. */
abstract class SubstreamsSourceElements<K, O, M> {
    /** Replaces each element by what the function makes of it. */
    public <P> SubstreamsSource<K, P, M> map(ThrowingFunction<? super O, ? extends P> function) {
        return via(Flow.<O>create().<P>map(function));
    }

    /** Lets through the elements for which the condition holds. */
    public SubstreamsSource<K, O, M> filter(ThrowingPredicate<? super O> condition) {
        return via(Flow.<O>create().filter(condition));
    }

    /** Replaces each element by any number of elements. */
    public <P> SubstreamsSource<K, P, M> mapConcat(
            ThrowingFunction<? super O, ? extends Iterable<? extends P>> function) {
        return via(Flow.<O>create().<P>mapConcat(function));
    }

    /** Lets the first elements through, then completes and cancels. */
    public SubstreamsSource<K, O, M> take(long count) {
        return via(Flow.<O>create().take(count));
    }

    /** Lets elements through until the condition fails for one, which is dropped, then completes and cancels. */
    public SubstreamsSource<K, O, M> takeWhile(ThrowingPredicate<? super O> condition) {
        return via(Flow.<O>create().takeWhile(condition));
    }

    /** Lets elements through up to and including the first for which the condition fails, then completes and cancels. */
    public SubstreamsSource<K, O, M> takeThrough(ThrowingPredicate<? super O> condition) {
        return via(Flow.<O>create().takeThrough(condition));
    }

    /** Drops the first elements. */
    public SubstreamsSource<K, O, M> drop(long count) {
        return via(Flow.<O>create().drop(count));
    }

    /** Drops elements until the condition fails for one. */
    public SubstreamsSource<K, O, M> dropWhile(ThrowingPredicate<? super O> condition) {
        return via(Flow.<O>create().dropWhile(condition));
    }

    /** Lets so many elements through; one more fails the stream with a {@link StreamLimitReachedException}. */
    public SubstreamsSource<K, O, M> limit(long most) {
        return via(Flow.<O>create().limit(most));
    }

    /** Emits lists of so many elements each, at least 1, and what is left when upstream completes. */
    public SubstreamsSource<K, List<O>, M> grouped(int size) {
        return via(Flow.<O>create().grouped(size));
    }

    /** Pairs each element with its index, from 0. */
    public SubstreamsSource<K, Pair<O, Long>, M> zipWithIndex() {
        return via(Flow.<O>create().zipWithIndex());
    }

    /** Emits one result at the end: what the function makes of the elements, one by one; fails if there are none. */
    public SubstreamsSource<K, O, M> reduce(ThrowingBiFunction<? super O, ? super O, ? extends O> function) {
        return via(Flow.<O>create().reduce(function));
    }

    /**
     * Replaces each element by what the function makes of it and of a state, which it replaces too. The state is made
     * for each run; when upstream completes, one more element may be made of the last.
     */
    public <S, P> SubstreamsSource<K, P, M> statefulMap(
            Supplier<? extends S> initial,
            ThrowingBiFunction<? super S, ? super O, Pair<S, P>> function,
            ThrowingFunction<? super S, Optional<P>> atEnd) {
        return via(Flow.<O>create().<S, P>statefulMap(initial, function, atEnd));
    }

    /** Emits the zero, and then for each element what the function makes of the last result and the element. */
    public <P> SubstreamsSource<K, P, M> scan(P zero, ThrowingBiFunction<? super P, ? super O, ? extends P> function) {
        return via(Flow.<O>create().<P>scan(zero, function));
    }

    /** Emits one result at the end: what the function makes, one by one, of the zero and the elements. */
    public <P> SubstreamsSource<K, P, M> fold(P zero, ThrowingBiFunction<? super P, ? super O, ? extends P> function) {
        return via(Flow.<O>create().<P>fold(zero, function));
    }

    /** Lets through the elements for which the condition does not hold. */
    public SubstreamsSource<K, O, M> filterNot(ThrowingPredicate<? super O> condition) {
        return via(Flow.<O>create().filterNot(condition));
    }

    /** Lets through the elements of this type. */
    public <P> SubstreamsSource<K, P, M> collectType(Class<P> type) {
        return via(Flow.<O>create().<P>collectType(type));
    }

    /**
     * Replaces each element by what the function makes of it and of a resource. That is made when a run starts and
     * closed exactly once, however the run ends; when upstream completes, closing it may make one more element.
     */
    public <R, P> SubstreamsSource<K, P, M> mapWithResource(
            ThrowingSupplier<? extends R> create,
            ThrowingBiFunction<? super R, ? super O, ? extends P> function,
            ThrowingFunction<? super R, Optional<P>> close) {
        return via(Flow.<O>create().<R, P>mapWithResource(create, function, close));
    }

    /** Lets elements through up to and including the first for which the condition holds, then completes and cancels. */
    public SubstreamsSource<K, O, M> takeUntil(ThrowingPredicate<? super O> condition) {
        return via(Flow.<O>create().takeUntil(condition));
    }

    /** Lets elements through until the signal emits or completes, then completes and cancels. */
    public SubstreamsSource<K, O, M> takeUntil(Graph<? extends SourceShape<?>, ?> signal) {
        return via(Flow.<O>create().takeUntil(signal));
    }

    /** Drops elements until the signal emits or completes. */
    public SubstreamsSource<K, O, M> skipUntil(Graph<? extends SourceShape<?>, ?> signal) {
        return via(Flow.<O>create().skipUntil(signal));
    }

    /** Lets elements through that cost so much in all; more fails the stream with a {@link StreamLimitReachedException}. */
    public SubstreamsSource<K, O, M> limitWeighted(long most, ThrowingToLongFunction<? super O> cost) {
        return via(Flow.<O>create().limitWeighted(most, cost));
    }

    /** Drops elements that are equal to an earlier one, all of which it keeps. */
    public SubstreamsSource<K, O, M> distinct() {
        return via(Flow.<O>create().distinct());
    }

    /** Drops elements whose key is equal to that of an earlier one; it keeps all keys. */
    public SubstreamsSource<K, O, M> distinct(ThrowingFunction<? super O, ?> key) {
        return via(Flow.<O>create().distinct(key));
    }

    /** Drops elements that are equal to the one before. */
    public SubstreamsSource<K, O, M> dropRepeated() {
        return via(Flow.<O>create().dropRepeated());
    }

    /** Drops elements that are the same, as the function says, as the last one that was let through. */
    public SubstreamsSource<K, O, M> dropRepeated(ThrowingBiFunction<? super O, ? super O, Boolean> same) {
        return via(Flow.<O>create().dropRepeated(same));
    }

    /** Emits this element between any two. */
    public SubstreamsSource<K, O, M> intersperse(O between) {
        return via(Flow.<O>create().intersperse(between));
    }

    /** Emits an element at the beginning, one between any two, and one at the end. */
    public SubstreamsSource<K, O, M> intersperse(O start, O between, O end) {
        return via(Flow.<O>create().intersperse(start, between, end));
    }

    /**
     * Emits lists of so many elements, each list beginning so many elements after the last, and when upstream completes
     * a shorter one if there are elements left that were in none.
     */
    public SubstreamsSource<K, List<O>, M> sliding(int size, int step) {
        return via(Flow.<O>create().sliding(size, step));
    }

    /** Emits lists that weigh so much at most, or have one element, and what is left when upstream completes. */
    public SubstreamsSource<K, List<O>, M> groupedWeighted(long mostWeight, ThrowingToLongFunction<? super O> weigh) {
        return via(Flow.<O>create().groupedWeighted(mostWeight, weigh));
    }

    /**
     * Adds elements to an aggregate until the function that does so says true, and emits what it harvests of that; the
     * next element begins another one. What has been added when upstream completes is harvested, too.
     */
    public <A, P> SubstreamsSource<K, P, M> aggregateWithBoundary(
            ThrowingSupplier<? extends A> allocate,
            ThrowingBiFunction<? super A, ? super O, Pair<A, Boolean>> aggregate,
            ThrowingFunction<? super A, ? extends P> harvest) {
        return via(Flow.<O>create().<A, P>aggregateWithBoundary(allocate, aggregate, harvest));
    }

    /** Emits elements and the end, be it completion or failure, as values, then completes. */
    public SubstreamsSource<K, Signal<O>, M> materialize() {
        return via(Flow.<O>create().materialize());
    }

    /** Emits, completes or fails as the signal says that the function makes of an element. */
    public <P> SubstreamsSource<K, P, M> dematerialize(ThrowingFunction<? super O, Signal<P>> signal) {
        return via(Flow.<O>create().<P>dematerialize(signal));
    }

    /** Pairs each element with the time at which it comes, on the clock of the runtime. */
    public SubstreamsSource<K, Timestamped<O>, M> timestamp() {
        return via(Flow.<O>create().timestamp());
    }

    /** Emits this element when upstream completes without any. */
    public SubstreamsSource<K, O, M> defaultIfEmpty(O element) {
        return via(Flow.<O>create().defaultIfEmpty(element));
    }

    /** Drops the last elements: each waits until so many have come after it. */
    public SubstreamsSource<K, O, M> skipLast(int count) {
        return via(Flow.<O>create().skipLast(count));
    }

    /** Shows each element to the consumer before it goes on. */
    public SubstreamsSource<K, O, M> doOnNext(ThrowingConsumer<? super O> consumer) {
        return via(Flow.<O>create().doOnNext(consumer));
    }

    /** Does something when upstream has completed, before downstream is told. */
    public SubstreamsSource<K, O, M> doOnComplete(Runnable action) {
        return via(Flow.<O>create().doOnComplete(action));
    }

    /** Tells the consumer, once, how the stream has ended here: completed, failed or cancelled. */
    public SubstreamsSource<K, O, M> doFinally(ThrowingConsumer<? super Outcome> consumer) {
        return via(Flow.<O>create().doFinally(consumer));
    }

    /** Passes the elements through a flow; keeps this value. */
    public abstract <P> SubstreamsSource<K, P, M> via(Graph<? extends FlowShape<? super O, P>, ?> flow);
}
