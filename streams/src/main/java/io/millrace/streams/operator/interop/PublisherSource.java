package io.millrace.streams.operator.interop;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;
import org.reactivestreams.Publisher;

/** Subscribes to a Reactive Streams publisher when it starts, and emits what that sends. */
public final class PublisherSource<T> extends GraphStage<SourceShape<T>> {
    private final Publisher<? extends T> publisher;
    private final SourceShape<T> shape = SourceShape.of(Outlet.create("publisher.out"));

    public PublisherSource(Publisher<? extends T> publisher) {
        this.publisher = Objects.requireNonNull(publisher, "publisher");
    }

    @Override
    public SourceShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "publisher";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new InboundLogic<>(shape, inherited) {
            @Override
            public void preStart() {
                try {
                    publisher.subscribe(subscriber());
                } catch (Throwable failure) {
                    failStage(failure);
                }
            }
        };
    }
}
