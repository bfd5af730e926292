package io.millrace.streams.operator.interop;

import io.millrace.streams.engine.failure.NullElementException;
import io.millrace.streams.stage.AsyncCallback;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Receives the signals of a Reactive Streams publisher and hands them to the stage behind it.
 *
 * <p><b>Threads</b>: the publisher's threads signal; the stage handles.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code subscribed}: set once by compare-and-set; signals go through the stage's channel.<br>
 * <b>States</b>: fresh -> subscribed, once; a second subscription is cancelled at once (rule 2.5).<br>
 * <b>Proved by</b>: SubscriberTckTest, ReactiveStreamsTest.
 */
final class InboundSubscriber<T> implements Subscriber<T> {
    private final AsyncCallback<Object> toStage;
    private final AtomicBoolean subscribed = new AtomicBoolean();

    InboundSubscriber(AsyncCallback<Object> toStage) {
        this.toStage = toStage;
    }

    /** A signal that is not an element; elements are handed over as they are. */
    sealed interface Control {}

    /** The publisher has accepted the subscription. */
    record Subscribed(Subscription subscription) implements Control {}

    /** The publisher has failed. */
    record Failed(Throwable failure) implements Control {}

    /** The publisher has broken a rule. */
    record Violated(RuntimeException violation) implements Control {}

    /** The publisher has completed. */
    record Completed() implements Control {}

    @Override
    public void onSubscribe(Subscription subscription) {
        requirePresent(subscription, "onSubscribe");
        if (!subscribed.compareAndSet(false, true)) {
            subscription.cancel();
            return;
        }
        toStage.invokeWithFeedback(new Subscribed(subscription)).whenComplete((done, failure) -> {
            if (failure != null) {
                subscription.cancel();
            }
        });
    }

    @Override
    public void onNext(T element) {
        requirePresent(element, "onNext");
        toStage.invoke(element);
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
            toStage.invoke(new Violated(violation));
            throw violation;
        }
    }
}
