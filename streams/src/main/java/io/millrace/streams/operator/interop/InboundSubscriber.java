package io.millrace.streams.operator.interop;

import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.stage.AsyncCallback;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Receives the signals of a Reactive Streams publisher and hands them to the stage behind it: of elements as many as it has
 * asked for. One more is a violation, which cancels the subscription where it is found, as a publisher may send within the
 * stage's own call until it is cancelled; what follows is dropped.
 *
 * <p><b>Threads</b>: the publisher's threads signal; the stage handles, asks and releases.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code allowed}: added to by the stage before it asks, counted down by the publisher's threads, who also set it to
 * {@code VIOLATED}, where it stays; {@code subscription}: set once by compare-and-set, taken once by whoever releases it. Signals go
 * through the stage's channel.<br>
 * <b>States</b>: fresh -> subscribed -> gone, or fresh -> gone; a subscription that is not the first, or comes when it is gone, is
 * cancelled at once (rule 2.5).<br>
 * <b>Proved by</b>: SubscriberTckTest, ReactiveStreamsTest.
 */
final class InboundSubscriber<T> implements Subscriber<T> {
    private static final long VIOLATED = -1;

    private final AsyncCallback<Object> toStage;
    private final AtomicLong allowed = new AtomicLong();
    private final AtomicReference<@Nullable Subscription> subscription = new AtomicReference<>();

    InboundSubscriber(AsyncCallback<Object> toStage) {
        this.toStage = toStage;
    }

    /** A signal that is not an element; elements are handed over as they are. */
    sealed interface Control {}

    /** The publisher has accepted the subscription. */
    record Subscribed() implements Control {}

    /** The publisher has failed. */
    record Failed(Throwable failure) implements Control {}

    /** The publisher has broken a rule. */
    record Violated(RuntimeException violation) implements Control {}

    /** The publisher has completed. */
    record Completed() implements Control {}

    /** Stands where there is no subscription any more. */
    private enum Gone implements Subscription {
        GONE;

        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    }

    /** Asks for so many more elements; once it has told that it is subscribed. */
    void ask(int count) {
        allowed.getAndUpdate(before -> before == VIOLATED ? before : before + count);
        Objects.requireNonNull(subscription.get(), "subscription").request(count);
    }

    /** Cancels the subscription, also one that comes later. */
    void cancel() {
        Subscription held = forget();
        if (held != null) {
            held.cancel();
        }
    }

    /** Gives up the subscription, which has ended. */
    @Nullable
    Subscription forget() {
        return subscription.getAndSet(Gone.GONE);
    }

    @Override
    public void onSubscribe(Subscription accepted) {
        requirePresent(accepted, "onSubscribe");
        if (!subscription.compareAndSet(null, accepted)) {
            accepted.cancel();
            return;
        }
        toStage.invokeWithFeedback(new Subscribed()).whenComplete((done, failure) -> {
            if (failure != null) {
                cancel();
            }
        });
    }

    @Override
    public void onNext(T element) {
        requirePresent(element, "onNext");
        long before = allowed.getAndUpdate(count -> count > 0 ? count - 1 : count);
        if (before > 0) {
            toStage.invoke(element);
        } else if (before != VIOLATED) {
            breaks(new IllegalStateException("a publisher sent an element that was not asked for (rule 1.1)"));
        }
    }

    @Override
    public void onError(Throwable failure) {
        requirePresent(failure, "onError");
        toStage.invoke(new Failed(failure));
    }

    @Override
    public void onComplete() {
        toStage.invoke(new Completed());
    }

    private void requirePresent(Object argument, String method) {
        if (Objects.isNull(argument)) {
            NullPointerException violation =
                    new NullElementException("", "a publisher called " + method + " with null (rule 2.13)");
            breaks(violation);
            throw violation;
        }
    }

    private void breaks(RuntimeException violation) {
        if (allowed.getAndSet(VIOLATED) != VIOLATED) {
            toStage.invoke(new Violated(violation));
            cancel();
        }
    }
}
