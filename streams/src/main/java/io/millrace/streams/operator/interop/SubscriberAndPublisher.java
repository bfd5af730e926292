package io.millrace.streams.operator.interop;

import org.reactivestreams.Processor;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** The two ends of a running flow as one processor. */
public record SubscriberAndPublisher<I, O>(Subscriber<I> subscriber, Publisher<O> publisher)
        implements Processor<I, O> {
    @Override
    public void onSubscribe(Subscription subscription) {
        subscriber.onSubscribe(subscription);
    }

    @Override
    public void onNext(I element) {
        subscriber.onNext(element);
    }

    @Override
    public void onError(Throwable failure) {
        subscriber.onError(failure);
    }

    @Override
    public void onComplete() {
        subscriber.onComplete();
    }

    @Override
    public void subscribe(Subscriber<? super O> receiver) {
        publisher.subscribe(receiver);
    }
}
