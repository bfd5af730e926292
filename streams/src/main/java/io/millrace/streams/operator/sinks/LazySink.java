package io.millrace.streams.operator.sinks;

import io.millrace.streams.Source;
import io.millrace.streams.engine.Described;
import io.millrace.streams.engine.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NeverMaterializedException;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.operator.interop.OutboundLogic;
import io.millrace.streams.operator.interop.OutboundPublisher;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Sends the elements to a sink that is made when the first has come. It runs as a stream of its own under the attributes
 * of this one; its materialized value is a future here.
 */
public final class LazySink<I, M> extends GraphStageWithMaterializedValue<SinkShape<I>, CompletionStage<M>> {
    private final ThrowingSupplier<? extends Graph<SinkShape<I>, M>> factory;
    private final SinkShape<I> shape = SinkShape.of(Inlet.create("lazy.in"));

    public LazySink(ThrowingSupplier<? extends Graph<SinkShape<I>, M>> factory) {
        this.factory = Objects.requireNonNull(factory, "factory");
    }

    @Override
    public SinkShape<I> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "lazy";
    }

    @Override
    public LogicAndValue<CompletionStage<M>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic(inherited);
        return new LogicAndValue<>(logic, logic.value);
    }

    private final class Logic extends OutboundLogic<I> {
        private final CompletableFuture<M> value = promise();
        private final OutboundPublisher<I> others = new OutboundPublisher<>(asyncCallback(this::attach));
        private final Attributes inherited;
        private boolean isMade;

        Logic(Attributes inherited) {
            super(shape);
            this.inherited = inherited;
        }

        @Override
        public void preStart() {
            pull(shape.in());
        }

        @Override
        public void onPush() throws Exception {
            if (isMade) {
                super.onPush();
            } else {
                isMade = true;
                make(grab(shape.in()));
            }
        }

        @Override
        public void onUpstreamFinish() throws Exception {
            others.endsWith(null);
            super.onUpstreamFinish();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) throws Exception {
            others.endsWith(failure);
            super.onUpstreamFailure(failure);
        }

        @Override
        public void postStop() throws Exception {
            super.postStop();
            if (!value.isDone()) {
                value.completeExceptionally(new NeverMaterializedException(
                        "the sink inside lazy was never made: the stream ended without an element"));
            }
        }

        private void make(I first) throws Exception {
            try {
                value.complete(Source.single(first)
                        .concat(Source.fromPublisher(others))
                        .withAttributes(inherited)
                        .runWith(Step.required(factory.make(), name()), runtime()));
            } catch (Throwable failure) {
                value.completeExceptionally(new NeverMaterializedException(
                        "the sink inside lazy could not be made: " + Described.of(failure), failure));
                throw failure;
            }
        }
    }
}
