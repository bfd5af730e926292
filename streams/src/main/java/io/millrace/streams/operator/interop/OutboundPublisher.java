package io.millrace.streams.operator.interop;

import io.millrace.streams.failure.StageStoppedException;
import io.millrace.streams.stage.AsyncCallback;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * The publisher of one run of a stream: serves the first subscriber and refuses every other. A subscriber that comes
 * after the stream has ended is told how it ended.
 *
 * <p><b>Threads</b>: any thread subscribes; the stage writes {@code failure}.<br>
 * <b>Owned</b>: {@code hasEnded}, by the stage.<br>
 * <b>Shared</b>: {@code claimed}: set once by compare-and-set; {@code failure}: written by the stage before it stops, read
 * by who learns that it has stopped.<br>
 * <b>States</b>: free -> claimed, once.<br>
 * <b>Proved by</b>: SinkAsPublisherTckTest, ReactiveStreamsTest.
 */
public final class OutboundPublisher<T> implements Publisher<T> {
    private final AsyncCallback<Subscriber<? super T>> toStage;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile @Nullable Throwable failure;
    private boolean hasEnded;

    public OutboundPublisher(AsyncCallback<Subscriber<? super T>> toStage) {
        this.toStage = toStage;
    }

    @Override
    public void subscribe(Subscriber<? super T> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber (rule 1.9)");
        if (!claimed.compareAndSet(false, true)) {
            refuse(
                    subscriber,
                    new IllegalStateException(
                            "this publisher serves one subscriber, and it has had one; use a fan-out publisher for more"));
            return;
        }
        toStage.invokeWithFeedback(subscriber).whenComplete((done, stopped) -> {
            if (stopped instanceof StageStoppedException) {
                tellEnd(subscriber);
            }
        });
    }

    /** Sets what late subscribers are told; by the stage, before it stops. */
    public void endsWith(@Nullable Throwable cause) {
        failure = cause;
        hasEnded = true;
    }

    /** Whether it was said how the stream has ended; by the stage. */
    public boolean hasEnded() {
        return hasEnded;
    }

    private void tellEnd(Subscriber<? super T> subscriber) {
        Throwable cause = failure;
        if (cause == null) {
            subscriber.onSubscribe(Ended.INSTANCE);
            subscriber.onComplete();
        } else {
            refuse(subscriber, cause);
        }
    }

    /** Tells a subscriber that it gets nothing, and why (rule 1.9). */
    public static void refuse(Subscriber<?> subscriber, Throwable why) {
        subscriber.onSubscribe(Ended.INSTANCE);
        subscriber.onError(why);
    }

    /** A subscription without effect. */
    private enum Ended implements Subscription {
        INSTANCE;

        @Override
        public void request(long count) {
            // There is nothing to send.
        }

        @Override
        public void cancel() {
            // There is nothing to cancel.
        }
    }
}
