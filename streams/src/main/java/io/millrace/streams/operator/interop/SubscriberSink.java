package io.millrace.streams.operator.interop;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import org.reactivestreams.Subscriber;

/** Sends the elements to a Reactive Streams subscriber; the subscriber serves one run. */
public final class SubscriberSink<T> extends GraphStage<SinkShape<T>> {
    private final Subscriber<? super T> subscriber;
    private final SinkShape<T> shape = SinkShape.of(Inlet.create("subscriber.in"));

    public SubscriberSink(Subscriber<? super T> subscriber) {
        this.subscriber = Objects.requireNonNull(subscriber, "subscriber");
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
        return new OutboundLogic<T>(shape) {
            private boolean started;

            @Override
            public void preStart() {
                started = true;
                attach(subscriber);
            }

            @Override
            public void postStop() throws Exception {
                super.postStop();
                if (!started) {
                    OutboundPublisher.refuse(subscriber, abruptly());
                }
            }
        };
    }
}
