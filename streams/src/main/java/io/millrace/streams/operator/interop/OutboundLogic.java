package io.millrace.streams.operator.interop;

import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;

/**
 * Sends the elements of a stream to one Reactive Streams subscriber, as it asks for them. A subscriber that throws
 * counts as cancelled (rule 2.13), and the stream fails with what it threw.
 */
public class OutboundLogic<T> extends GraphStageLogic implements InHandler {
    private final SinkShape<T> shape;
    private final OutboundSubscription subscription = new OutboundSubscription(asyncCallback(this::onSignal));
    private @Nullable Subscriber<? super T> subscriber;

    @SuppressWarnings("this-escape") // handlers are called from the start on, when the subclass is complete
    protected OutboundLogic(SinkShape<T> shape) {
        super(shape);
        this.shape = shape;
        setHandler(shape.in(), this);
    }

    /** Serves this subscriber; called once. */
    protected final void attach(Subscriber<? super T> accepted) {
        accepted.onSubscribe(subscription);
        subscriber = subscription.isCancelled() ? null : accepted;
    }

    @Override
    public void onPush() throws Exception {
        Subscriber<? super T> receiver = subscriber;
        T element = grab(shape.in());
        if (receiver == null) {
            return;
        }
        subscription.use();
        subscriber = null;
        receiver.onNext(element);
        subscriber = receiver;
        pullIfAsked();
    }

    @Override
    public void onUpstreamFinish() throws Exception {
        Subscriber<? super T> receiver = takeSubscriber();
        completeStage();
        if (receiver != null) {
            receiver.onComplete();
        }
    }

    @Override
    public void onUpstreamFailure(Throwable failure) throws Exception {
        Subscriber<? super T> receiver = takeSubscriber();
        failStage(failure);
        if (receiver != null) {
            receiver.onError(failure);
        }
    }

    @Override
    public void postStop() throws Exception {
        Subscriber<? super T> receiver = takeSubscriber();
        if (receiver != null) {
            receiver.onError(abruptEnd());
        }
    }

    private @Nullable Subscriber<? super T> takeSubscriber() {
        Subscriber<? super T> taken = subscriber;
        subscriber = null;
        return taken;
    }

    private void onSignal(OutboundSubscription.Signal signal) {
        if (signal instanceof OutboundSubscription.Demanded) {
            pullIfAsked();
            return;
        }
        Subscriber<? super T> receiver = takeSubscriber();
        if (signal instanceof OutboundSubscription.Violated violated && receiver != null) {
            cancelStage(violated.violation());
            receiver.onError(violated.violation());
        } else {
            completeStage();
        }
    }

    private void pullIfAsked() {
        if (subscription.hasDemand()) {
            tryPull(shape.in());
        }
    }
}
