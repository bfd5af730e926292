package io.millrace.streams.reactive;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** A publisher in the hands of a test; it keeps no rule by itself. */
final class PeerPublisher<T> implements Publisher<T> {
    private final CompletableFuture<Subscriber<? super T>> subscriber = new CompletableFuture<>();
    private final BlockingQueue<Long> requests = new LinkedBlockingQueue<>();
    private final CompletableFuture<String> cancelled = new CompletableFuture<>();

    @Override
    public void subscribe(Subscriber<? super T> accepted) {
        subscriber.complete(accepted);
        accepted.onSubscribe(new Subscription() {
            @Override
            public void request(long count) {
                requests.add(count);
            }

            @Override
            public void cancel() {
                cancelled.complete("cancelled");
            }
        });
    }

    void send(T element) {
        subscriber.orTimeout(10, TimeUnit.SECONDS).join().onNext(element);
    }

    void complete() {
        subscriber.orTimeout(10, TimeUnit.SECONDS).join().onComplete();
    }

    void sendNull() {
        subscriber.orTimeout(10, TimeUnit.SECONDS).join().onNext(null);
    }

    long awaitRequest() {
        try {
            Long request = requests.poll(10, TimeUnit.SECONDS);
            if (request == null) {
                throw new AssertionError("nothing was asked for");
            }
            return request;
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for demand", e);
        }
    }

    void awaitCancellation() {
        cancelled.orTimeout(10, TimeUnit.SECONDS).join();
    }
}
