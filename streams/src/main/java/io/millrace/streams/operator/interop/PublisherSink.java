package io.millrace.streams.operator.interop;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import org.reactivestreams.Publisher;

/** Gives back a Reactive Streams publisher, which sends the elements to its first and only subscriber. */
public final class PublisherSink<T> extends GraphStageWithMaterializedValue<SinkShape<T>, Publisher<T>> {
    private final SinkShape<T> shape = SinkShape.of(Inlet.create("publisher.in"));

    @Override
    public SinkShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "publisher";
    }

    @Override
    public LogicAndValue<Publisher<T>> createLogicAndValue(Attributes inherited) {
        PublisherLogic<T> logic = new PublisherLogic<>(shape);
        return new LogicAndValue<>(logic, logic.publisher);
    }

    private static final class PublisherLogic<T> extends OutboundLogic<T> {
        private final OutboundPublisher<T> publisher = new OutboundPublisher<>(asyncCallback(this::attach));

        PublisherLogic(SinkShape<T> shape) {
            super(shape);
        }

        @Override
        public void onUpstreamFinish() throws Exception {
            publisher.endsWith(null);
            super.onUpstreamFinish();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) throws Exception {
            publisher.endsWith(failure);
            super.onUpstreamFailure(failure);
        }

        @Override
        public void postStop() throws Exception {
            if (!publisher.hasEnded()) {
                publisher.endsWith(abruptEnd());
            }
            super.postStop();
        }
    }
}
