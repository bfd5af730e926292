package io.millrace.streams.operator.sinks;

import io.millrace.streams.engine.failure.Described;
import io.millrace.streams.engine.plan.ClosedGraph;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.failure.NeverMaterializedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.SubSourceOutlet;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends the elements to a sink that is made when the first has come. It runs as a stream of its own under the attributes
 * of this one, and what it cancels with cancels this one; its materialized value is a future here.
 */
public final class LazySink<I, M> extends GraphStageWithMaterializedValue<SinkShape<I>, CompletionStage<M>> {
    private static final int CAPACITY = 16;

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

    private final class Logic extends GraphStageLogic implements InHandler, OutHandler {
        private final CompletableFuture<M> value = promise();
        private final Attributes inherited;
        private @Nullable SubSourceOutlet<I> feed;
        private boolean hasCompleted;

        Logic(Attributes inherited) {
            super(shape);
            this.inherited = inherited;
            setHandler(shape.in(), this);
        }

        @Override
        public void preStart() {
            pull(shape.in());
        }

        @Override
        public void onPush() throws Exception {
            if (feed == null) {
                make();
            }
            onPull();
        }

        private void make() throws Exception {
            try {
                Graph<SinkShape<I>, M> made = Step.required(factory.make(), name());
                SubSourceOutlet<I> outlet = subSourceOutlet(name(), capacity());
                outlet.setHandler(this);
                feed = outlet;
                value.complete(
                        ClosedGraph.ofSink(outlet.source(), inherited, made).runInside(this));
            } catch (Throwable failure) {
                value.completeExceptionally(new NeverMaterializedException(
                        "the sink inside lazy could not be made: " + Described.of(failure), failure));
                throw failure;
            }
        }

        private int capacity() {
            return inherited
                    .find(Attributes.InputBuffer.class)
                    .map(Attributes.InputBuffer::elements)
                    .orElse(CAPACITY);
        }

        /** Passes on what has come, for which there is room, and asks for more. */
        @Override
        public void onPull() {
            SubSourceOutlet<I> into = feed;
            if (into == null) {
                return;
            }
            if (isAvailable(shape.in())) {
                into.push(grab(shape.in()));
            }
            if (into.isAvailable()) {
                tryPull(shape.in());
            }
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            cancelStage(cause);
        }

        @Override
        public void onUpstreamFinish() {
            hasCompleted = true;
            if (feed != null) {
                feed.complete();
            }
            completeStage();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            if (feed != null) {
                feed.fail(failure);
            }
            failStage(failure);
        }

        @Override
        public void postStop() {
            if (!value.isDone()) {
                value.completeExceptionally(neverMade());
            }
        }

        private NeverMaterializedException neverMade() {
            if (hasCompleted) {
                return new NeverMaterializedException(
                        "the sink inside lazy was never made: the stream ended without an element");
            }
            Throwable failure = abruptEnd();
            return new NeverMaterializedException(
                    "the sink inside lazy was never made: the stream failed without an element: "
                            + Described.of(failure),
                    failure);
        }
    }
}
