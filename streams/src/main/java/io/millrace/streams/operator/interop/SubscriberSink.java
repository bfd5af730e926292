package io.millrace.streams.operator.interop;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.reactivestreams.Subscriber;

/**
 * Sends the elements to a Reactive Streams subscriber. That serves one run, as it must not be subscribed twice (rule 2.12); every other fails.
 *
 * <p><b>Threads</b>: any runs it.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code claimed}: set once, by compare-and-set, by the run that is put together first.<br>
 * <b>States</b>: free -> claimed, once.<br>
 * <b>Proved by</b>: SinkEdgesTest.
 */
public final class SubscriberSink<T> extends GraphStage<SinkShape<T>> {
    private final Subscriber<? super T> subscriber;
    private final Consumer<Throwable> refusal;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private final SinkShape<T> shape = SinkShape.of(Inlet.create("subscriber.in"));

    public SubscriberSink(Subscriber<? super T> subscriber) {
        this(subscriber, why -> OutboundPublisher.refuse(subscriber, why));
    }

    /** As it is, and what tells the subscriber that a run could not start, and why, is somebody else's. */
    SubscriberSink(Subscriber<? super T> subscriber, Consumer<Throwable> refusal) {
        this.subscriber = Objects.requireNonNull(subscriber, "subscriber");
        this.refusal = refusal;
    }

    @Override
    public SinkShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "subscriber";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        boolean isMine = claimed.compareAndSet(false, true);
        return new OutboundLogic<T>(shape) {
            private boolean started;

            @Override
            public void preStart() {
                started = true;
                if (!isMine) {
                    failStage(new IllegalStateException("the subscriber of this sink serves one run, and has had one"));
                    return;
                }
                try {
                    attach(subscriber);
                } catch (Throwable failure) {
                    failStage(failure);
                }
            }

            @Override
            public void postStop() throws Exception {
                super.postStop();
                if (isMine && !started) {
                    refusal.accept(abruptEnd());
                }
            }
        };
    }
}
