package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrottleMode;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.graph.ThrowingToLongFunction;
import io.millrace.streams.operator.substreams.TimeoutFallbackStage;
import io.millrace.streams.operator.timing.BatchStage;
import io.millrace.streams.operator.timing.BufferStage;
import io.millrace.streams.operator.timing.CompletionTimeoutStage;
import io.millrace.streams.operator.timing.DebounceStage;
import io.millrace.streams.operator.timing.DelayStage;
import io.millrace.streams.operator.timing.DropWithinStage;
import io.millrace.streams.operator.timing.ExpandStage;
import io.millrace.streams.operator.timing.GroupedWithinStage;
import io.millrace.streams.operator.timing.InitialDelayStage;
import io.millrace.streams.operator.timing.KeepAliveStage;
import io.millrace.streams.operator.timing.SampleStage;
import io.millrace.streams.operator.timing.TakeWithinStage;
import io.millrace.streams.operator.timing.ThrottleFirstStage;
import io.millrace.streams.operator.timing.ThrottleLatestStage;
import io.millrace.streams.operator.timing.ThrottleStage;
import io.millrace.streams.operator.timing.TimeoutStage;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;

/** The operators of a {@link Flow} for rate and time. */
abstract class FlowTiming<I, O, M> extends FlowFutures<I, O, M> {
    FlowTiming(Blueprint blueprint) {
        super(blueprint);
    }

    /** Holds up to so many elements that downstream has not asked for yet. */
    public Flow<I, O, M> buffer(int capacity, OverflowStrategy strategy) {
        return via(new BufferStage<O>(capacity, strategy));
    }

    /** Makes one element of those that come while downstream is busy, up to so many. */
    public <P> Flow<I, P, M> batch(
            long max,
            ThrowingFunction<? super O, ? extends P> seed,
            ThrowingBiFunction<? super P, ? super O, ? extends P> aggregate) {
        return via(new BatchStage<O, P>("batch", max, element -> 1, seed, aggregate));
    }

    /** As {@link #batch}, up to so much of what the elements cost; one that costs more than that stays alone. */
    public <P> Flow<I, P, M> batchWeighted(
            long max,
            ThrowingToLongFunction<? super O> costOf,
            ThrowingFunction<? super O, ? extends P> seed,
            ThrowingBiFunction<? super P, ? super O, ? extends P> aggregate) {
        return via(new BatchStage<O, P>("batchWeighted", max, costOf, seed, aggregate));
    }

    /** Makes one element of those that come while downstream is busy, however many; never holds upstream up. */
    public Flow<I, O, M> conflate(ThrowingBiFunction<? super O, ? super O, ? extends O> aggregate) {
        return via(new BatchStage<O, O>("conflate", Long.MAX_VALUE, element -> 1, first -> first, aggregate));
    }

    /** As {@link #conflate}, with another type of result, which begins with what is made of the first element. */
    public <P> Flow<I, P, M> conflateWithSeed(
            ThrowingFunction<? super O, ? extends P> seed,
            ThrowingBiFunction<? super P, ? super O, ? extends P> aggregate) {
        return via(new BatchStage<O, P>("conflateWithSeed", Long.MAX_VALUE, element -> 1, seed, aggregate));
    }

    /**
     * Answers downstream out of an iterator made of the last element, until there is a newer element; at least one of
     * each, if its iterator has any.
     */
    public <P> Flow<I, P, M> expand(ThrowingFunction<? super O, ? extends Iterator<? extends P>> function) {
        return via(new ExpandStage<O, P>("expand", function, null));
    }

    /** Emits each element and, while downstream asks and no newer one is there, what the iterator made of it gives. */
    public Flow<I, O, M> extrapolate(ThrowingFunction<? super O, ? extends Iterator<? extends O>> function) {
        return via(ExpandStage.<O>extrapolating(function, null));
    }

    /** As {@link #extrapolate(ThrowingFunction)}, and begins with an element that stands for those to come. */
    public Flow<I, O, M> extrapolate(ThrowingFunction<? super O, ? extends Iterator<? extends O>> function, O initial) {
        return via(ExpandStage.<O>extrapolating(function, initial));
    }

    /**
     * Lets so many elements through per duration, evenly spaced; what was not used may be caught up with in a burst of
     * a tenth of a second's worth, at least 1.
     */
    public Flow<I, O, M> throttle(long elements, Duration per) {
        return throttle(elements, per, ThrottleStage.burstFor(elements, per), ThrottleMode.SHAPING);
    }

    /**
     * Lets so many elements through per duration and up to so many at once when fewer came before; those that come
     * faster wait or fail the stream, as the mode says.
     */
    public Flow<I, O, M> throttle(long elements, Duration per, long maximumBurst, ThrottleMode mode) {
        return via(new ThrottleStage<O>(elements, per, maximumBurst, element -> 1, mode));
    }

    /** As {@link #throttle(long, Duration, long, ThrottleMode)} by what the elements cost, instead of their count. */
    public Flow<I, O, M> throttle(
            long cost, Duration per, long maximumBurst, ThrowingToLongFunction<? super O> costOf, ThrottleMode mode) {
        return via(new ThrottleStage<O>(cost, per, maximumBurst, costOf, mode));
    }

    /** Emits each element so much later than it came; up to 1024 elements wait, then upstream does. */
    public Flow<I, O, M> delay(Duration delay) {
        return via(DelayStage.<O>of(delay));
    }

    /** Emits each element so much later than it came; up to so many elements wait. */
    public Flow<I, O, M> delay(Duration delay, int capacity, OverflowStrategy strategy) {
        return via(DelayStage.<O>of(delay, capacity, strategy));
    }

    /**
     * Emits each element as much later than it came as the function says, but never before one that came before it; up
     * to so many elements wait.
     */
    public Flow<I, O, M> delayWith(
            ThrowingFunction<? super O, Duration> delayOf, int capacity, OverflowStrategy strategy) {
        return via(new DelayStage<O>("delayWith", delayOf, capacity, strategy));
    }

    /** Emits an element once no other has come for so long, and drops those that another one follows sooner. */
    public Flow<I, O, M> debounce(Duration quiet) {
        return via(new DebounceStage<O>(quiet));
    }

    /** Emits, at the end of each period, the latest element that has come in it, if there is one. */
    public Flow<I, O, M> sample(Duration period) {
        return via(new SampleStage<O>(period));
    }

    /** Emits an element at once, and then at most once per period the latest that has come. */
    public Flow<I, O, M> throttleLatest(Duration period) {
        return via(new ThrottleLatestStage<O>(period));
    }

    /** Lets an element through and drops those that come within the period after it. */
    public Flow<I, O, M> throttleFirst(Duration period) {
        return via(new ThrottleFirstStage<O>(period));
    }

    /** Emits lists of so many elements, or of fewer when so long has passed since the first of them came. */
    public Flow<I, List<O>, M> groupedWithin(int count, Duration within) {
        return via(new GroupedWithinStage<O>("groupedWithin", count, within, element -> 1));
    }

    /**
     * Emits lists of elements of up to so much weight together, or of less when so long has passed since the first of
     * them came; an element that weighs more stays alone.
     */
    public Flow<I, List<O>, M> groupedWeightedWithin(
            long maxWeight, Duration within, ThrowingToLongFunction<? super O> weightOf) {
        return via(new GroupedWithinStage<O>("groupedWeightedWithin", maxWeight, within, weightOf));
    }

    /**
     * Fails with a {@link java.util.concurrent.TimeoutException} when an element that was asked for does not come
     * within so long; while downstream asks for nothing, no time passes.
     */
    public Flow<I, O, M> timeout(Duration timeout) {
        return via(new TimeoutStage<O>(TimeoutStage.Wait.FOR_ELEMENT, timeout));
    }

    /** As {@link #timeout(Duration)}, but cancels upstream then and goes on with the other source. */
    public Flow<I, O, M> timeout(Duration timeout, Graph<? extends SourceShape<? extends O>, ?> fallback) {
        return via(new TimeoutFallbackStage<O>(timeout, fallback));
    }

    /** Fails with a {@link java.util.concurrent.TimeoutException} when no element has passed so long after the start. */
    public Flow<I, O, M> initialTimeout(Duration timeout) {
        return via(CompletionTimeoutStage.<O>untilFirst(timeout));
    }

    /**
     * Fails with a {@link java.util.concurrent.TimeoutException} when no element has passed for so long, whether
     * upstream or downstream is slow.
     */
    public Flow<I, O, M> idleTimeout(Duration timeout) {
        return via(new TimeoutStage<O>(TimeoutStage.Wait.FOR_PASSAGE, timeout));
    }

    /** Fails with a {@link java.util.concurrent.TimeoutException} when the stream lasts longer than so long. */
    public Flow<I, O, M> completionTimeout(Duration timeout) {
        return via(CompletionTimeoutStage.<O>untilEnd(timeout));
    }

    /** Fails with a {@link java.util.concurrent.TimeoutException} when downstream asks for nothing for so long. */
    public Flow<I, O, M> backpressureTimeout(Duration timeout) {
        return via(new TimeoutStage<O>(TimeoutStage.Wait.FOR_DEMAND, timeout));
    }

    /** Emits an element of the supplier's when one that was asked for does not come within so long. */
    public Flow<I, O, M> keepAlive(Duration maxIdle, ThrowingSupplier<? extends O> injected) {
        return via(new KeepAliveStage<O>(maxIdle, injected));
    }

    /** Asks upstream for the first element only after so long. */
    public Flow<I, O, M> initialDelay(Duration delay) {
        return via(new InitialDelayStage<O>(delay));
    }

    /** Lets elements through for so long from the start, then completes and cancels. */
    public Flow<I, O, M> takeWithin(Duration within) {
        return via(new TakeWithinStage<O>(within));
    }

    /** Drops the elements that come within so long from the start. */
    public Flow<I, O, M> dropWithin(Duration within) {
        return via(new DropWithinStage<O>(within));
    }
}
