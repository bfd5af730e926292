package io.millrace.streams.operator.interop;

import io.millrace.streams.stage.AsyncCallback;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscription;

/**
 * What a Reactive Streams subscriber holds of a stream: brings its demand and its cancellation to the stage. The stage is
 * told once while demand is there, however often more is asked for.
 *
 * <p><b>Threads</b>: any thread asks and cancels; the stage takes demand.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code demand}: added to by who asks, counted down by the stage; whoever raises it from zero tells the
 * stage, so one of the two goes on. {@code Long.MAX_VALUE} is without end and stays. {@code cancelled}: set by
 * who cancels, read by the stage.<br>
 * <b>States</b>: none.<br>
 * <b>Proved by</b>: SinkAsPublisherTckTest.
 */
final class OutboundSubscription implements Subscription {
    private final AsyncCallback<Signal> toStage;
    private final AtomicLong demand = new AtomicLong();
    private volatile boolean cancelled;

    OutboundSubscription(AsyncCallback<Signal> toStage) {
        this.toStage = toStage;
    }

    /** What the stage is told. */
    sealed interface Signal {}

    /** There is demand where there was none. */
    record Demanded() implements Signal {}

    /** The subscriber wants no more. */
    record Cancelled() implements Signal {}

    /** The subscriber has broken a rule. */
    record Violated(IllegalArgumentException violation) implements Signal {}

    @Override
    public void request(long count) {
        if (count <= 0) {
            toStage.invoke(new Violated(new IllegalArgumentException(
                    "a subscriber asked for " + count + " elements; it must be at least 1 (rule 3.9)")));
        } else if (demand.getAndUpdate(before -> saturated(before, count)) == 0) {
            toStage.invoke(new Demanded());
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        toStage.invoke(new Cancelled());
    }

    /** Whether the subscriber has cancelled; of one that does so as it is subscribed, the stage learns at once. */
    boolean isCancelled() {
        return cancelled;
    }

    boolean hasDemand() {
        return demand.get() > 0;
    }

    /** Takes one off the demand. */
    void use() {
        demand.getAndUpdate(before -> before == Long.MAX_VALUE ? before : before - 1);
    }

    private static long saturated(long before, long added) {
        long sum = before + added;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
