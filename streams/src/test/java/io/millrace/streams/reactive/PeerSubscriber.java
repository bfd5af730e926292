package io.millrace.streams.reactive;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** A subscriber in the hands of a test. */
class PeerSubscriber<T> implements Subscriber<T> {
    private final List<T> elements = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Subscription> subscription = new CompletableFuture<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private long requestAtOnce;

    PeerSubscriber<T> requesting(long count) {
        requestAtOnce = count;
        return this;
    }

    void request(long count) {
        awaitSubscription().request(count);
    }

    void cancel() {
        awaitSubscription().cancel();
    }

    List<T> elements() {
        return elements;
    }

    Subscription awaitSubscription() {
        return subscription.orTimeout(10, TimeUnit.SECONDS).join();
    }

    void awaitCompletion() {
        ended.orTimeout(10, TimeUnit.SECONDS).join();
    }

    Throwable awaitFailure() {
        try {
            return new AssertionError("completed: " + ended.get(10, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException | TimeoutException e) {
            return new AssertionError("neither completed nor failed", e);
        }
    }

    @Override
    public void onSubscribe(Subscription accepted) {
        subscription.complete(accepted);
        if (requestAtOnce > 0) {
            accepted.request(requestAtOnce);
        }
    }

    @Override
    public void onNext(T element) {
        elements.add(element);
    }

    @Override
    public void onError(Throwable failure) {
        ended.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        ended.complete("completed");
    }
}
