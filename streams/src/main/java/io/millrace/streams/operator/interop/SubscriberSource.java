package io.millrace.streams.operator.interop;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import org.reactivestreams.Subscriber;

/** Gives back a Reactive Streams subscriber and emits what that is sent. */
public final class SubscriberSource<T> extends GraphStageWithMaterializedValue<SourceShape<T>, Subscriber<T>> {
    private final SourceShape<T> shape = SourceShape.of(Outlet.create("subscriber.out"));

    @Override
    public SourceShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "subscriber";
    }

    @Override
    public LogicAndValue<Subscriber<T>> createLogicAndValue(Attributes inherited) {
        InboundLogic<T> logic = new InboundLogic<>(shape, inherited);
        return new LogicAndValue<>(logic, logic.subscriber());
    }
}
