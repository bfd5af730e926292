// Rendered by bin/render-fluent from FlowTiming.java, which is the one to change.
package io.millrace.streams;

import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrottleMode;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.graph.ThrowingToLongFunction;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;

/** The operators of a {@link SubstreamsSource} for rate and time. */
abstract class SubstreamsSourceTiming<K, O, M> extends SubstreamsSourceFutures<K, O, M> {
    /** Holds up to so many elements that downstream has not asked for yet. */
    public SubstreamsSource<K, O, M> buffer(int capacity, OverflowStrategy strategy) {
        return via(Flow.<O>create().buffer(capacity, strategy));
    }

    /** Makes one element of those that come while downstream is busy, up to so many. */
    public <P> SubstreamsSource<K, P, M> batch(
            long max,
            ThrowingFunction<? super O, ? extends P> seed,
            ThrowingBiFunction<? super P, ? super O, ? extends P> aggregate) {
        return via(Flow.<O>create().<P>batch(max, seed, aggregate));
    }

    /** As {@link #batch}, up to so much of what the elements cost; one that costs more than that stays alone. */
    public <P> SubstreamsSource<K, P, M> batchWeighted(
            long max,
            ThrowingToLongFunction<? super O> costOf,
            ThrowingFunction<? super O, ? extends P> seed,
            ThrowingBiFunction<? super P, ? super O, ? extends P> aggregate) {
        return via(Flow.<O>create().<P>batchWeighted(max, costOf, seed, aggregate));
    }

    /** Makes one element of those that come while downstream is busy, however many; never holds upstream up. */
    public SubstreamsSource<K, O, M> conflate(ThrowingBiFunction<? super O, ? super O, ? extends O> aggregate) {
        return via(Flow.<O>create().conflate(aggregate));
    }

    /** As {@link #conflate}, with another type of result, which begins with what is made of the first element. */
    public <P> SubstreamsSource<K, P, M> conflateWithSeed(
            ThrowingFunction<? super O, ? extends P> seed,
            ThrowingBiFunction<? super P, ? super O, ? extends P> aggregate) {
        return via(Flow.<O>create().<P>conflateWithSeed(seed, aggregate));
    }

    /**
     * Answers downstream out of an iterator made of the last element, until there is a newer element; at least one of
     * each, if its iterator has any.
     */
    public <P> SubstreamsSource<K, P, M> expand(ThrowingFunction<? super O, ? extends Iterator<? extends P>> function) {
        return via(Flow.<O>create().<P>expand(function));
    }

    /** Emits each element and, while downstream asks and no newer one is there, what the iterator made of it gives. */
    public SubstreamsSource<K, O, M> extrapolate(
            ThrowingFunction<? super O, ? extends Iterator<? extends O>> function) {
        return via(Flow.<O>create().extrapolate(function));
    }

    /** As {@link #extrapolate(ThrowingFunction)}, and begins with an element that stands for those to come. */
    public SubstreamsSource<K, O, M> extrapolate(
            ThrowingFunction<? super O, ? extends Iterator<? extends O>> function, O initial) {
        return via(Flow.<O>create().extrapolate(function, initial));
    }

    /**
     * Lets so many elements through per duration, evenly spaced; what was not used may be caught up with in a burst of
     * a tenth of a second's worth, at least 1.
     */
    public SubstreamsSource<K, O, M> throttle(long elements, Duration per) {
        return via(Flow.<O>create().throttle(elements, per));
    }

    /**
     * Lets so many elements through per duration and up to so many at once when fewer came before; those that come
     * faster wait or fail the stream, as the mode says.
     */
    public SubstreamsSource<K, O, M> throttle(long elements, Duration per, long maximumBurst, ThrottleMode mode) {
        return via(Flow.<O>create().throttle(elements, per, maximumBurst, mode));
    }

    /** As {@link #throttle(long, Duration, long, ThrottleMode)} by what the elements cost, instead of their count. */
    public SubstreamsSource<K, O, M> throttle(
            long cost, Duration per, long maximumBurst, ThrowingToLongFunction<? super O> costOf, ThrottleMode mode) {
        return via(Flow.<O>create().throttle(cost, per, maximumBurst, costOf, mode));
    }

    /** Emits each element so much later than it came; up to 1024 elements wait, then upstream does. */
    public SubstreamsSource<K, O, M> delay(Duration delay) {
        return via(Flow.<O>create().delay(delay));
    }

    /** Emits each element so much later than it came; up to so many elements wait. */
    public SubstreamsSource<K, O, M> delay(Duration delay, int capacity, OverflowStrategy strategy) {
        return via(Flow.<O>create().delay(delay, capacity, strategy));
    }

    /**
     * Emits each element as much later than it came as the function says, but never before one that came before it; up
     * to so many elements wait.
     */
    public SubstreamsSource<K, O, M> delayWith(
            ThrowingFunction<? super O, Duration> delayOf, int capacity, OverflowStrategy strategy) {
        return via(Flow.<O>create().delayWith(delayOf, capacity, strategy));
    }

    /** Emits an element once no other has come for so long, and drops those that another one follows sooner. */
    public SubstreamsSource<K, O, M> debounce(Duration quiet) {
        return via(Flow.<O>create().debounce(quiet));
    }

    /** Emits, at the end of each period, the latest element that has come in it, if there is one. */
    public SubstreamsSource<K, O, M> sample(Duration period) {
        return via(Flow.<O>create().sample(period));
    }

    /** Emits an element at once, and then at most once per period the latest that has come. */
    public SubstreamsSource<K, O, M> throttleLatest(Duration period) {
        return via(Flow.<O>create().throttleLatest(period));
    }

    /** Lets an element through and drops those that come within the period after it. */
    public SubstreamsSource<K, O, M> throttleFirst(Duration period) {
        return via(Flow.<O>create().throttleFirst(period));
    }

    /** Emits lists of so many elements, or of fewer when so long has passed since the first of them came. */
    public SubstreamsSource<K, List<O>, M> groupedWithin(int count, Duration within) {
        return via(Flow.<O>create().groupedWithin(count, within));
    }

    /**
     * Emits lists of elements of up to so much weight together, or of less when so long has passed since the first of
     * them came; an element that weighs more stays alone.
     */
    public SubstreamsSource<K, List<O>, M> groupedWeightedWithin(
            long maxWeight, Duration within, ThrowingToLongFunction<? super O> weightOf) {
        return via(Flow.<O>create().groupedWeightedWithin(maxWeight, within, weightOf));
    }

    /**
     * Fails with a {@link java.util.concurrent.TimeoutException} when an element that was asked for does not come
     * within so long; while downstream asks for nothing, no time passes.
     */
    public SubstreamsSource<K, O, M> timeout(Duration timeout) {
        return via(Flow.<O>create().timeout(timeout));
    }

    /** As {@link #timeout(Duration)}, but cancels upstream then and goes on with the other source. */
    public SubstreamsSource<K, O, M> timeout(Duration timeout, Graph<? extends SourceShape<? extends O>, ?> fallback) {
        return via(Flow.<O>create().timeout(timeout, fallback));
    }

    /** Fails with a {@link java.util.concurrent.TimeoutException} when no element has passed so long after the start. */
    public SubstreamsSource<K, O, M> initialTimeout(Duration timeout) {
        return via(Flow.<O>create().initialTimeout(timeout));
    }

    /**
     * Fails with a {@link java.util.concurrent.TimeoutException} when no element has passed for so long, whether
     * upstream or downstream is slow.
     */
    public SubstreamsSource<K, O, M> idleTimeout(Duration timeout) {
        return via(Flow.<O>create().idleTimeout(timeout));
    }

    /** Fails with a {@link java.util.concurrent.TimeoutException} when the stream lasts longer than so long. */
    public SubstreamsSource<K, O, M> completionTimeout(Duration timeout) {
        return via(Flow.<O>create().completionTimeout(timeout));
    }

    /** Fails with a {@link java.util.concurrent.TimeoutException} when downstream asks for nothing for so long. */
    public SubstreamsSource<K, O, M> backpressureTimeout(Duration timeout) {
        return via(Flow.<O>create().backpressureTimeout(timeout));
    }

    /** Emits an element of the supplier's when one that was asked for does not come within so long. */
    public SubstreamsSource<K, O, M> keepAlive(Duration maxIdle, ThrowingSupplier<? extends O> injected) {
        return via(Flow.<O>create().keepAlive(maxIdle, injected));
    }

    /** Asks upstream for the first element only after so long. */
    public SubstreamsSource<K, O, M> initialDelay(Duration delay) {
        return via(Flow.<O>create().initialDelay(delay));
    }

    /** Lets elements through for so long from the start, then completes and cancels. */
    public SubstreamsSource<K, O, M> takeWithin(Duration within) {
        return via(Flow.<O>create().takeWithin(within));
    }

    /** Drops the elements that come within so long from the start. */
    public SubstreamsSource<K, O, M> dropWithin(Duration within) {
        return via(Flow.<O>create().dropWithin(within));
    }
}
