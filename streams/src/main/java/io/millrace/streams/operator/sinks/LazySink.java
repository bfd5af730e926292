package io.millrace.streams.operator.sinks;

import io.millrace.streams.engine.failure.Described;
import io.millrace.streams.engine.plan.ClosedGraph;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.failure.NeverMaterializedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.operator.interop.OutboundLogic;
import io.millrace.streams.operator.interop.OutboundPublisher;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.reactivestreams.Publisher;

/**
 * Sends the elements to a sink that is made when the first has come. It runs as a stream of its own under the attributes
 * of this one; its materialized value is a future here.
 */
public final class LazySink<I, M> extends GraphStageWithMaterializedValue<SinkShape<I>, CompletionStage<M>> {
    private final ThrowingSupplier<? extends Graph<SinkShape<I>, M>> factory;
    private final BiFunction<I, Publisher<I>, Graph<SourceShape<I>, ?>> together;
    private final SinkShape<I> shape = SinkShape.of(Inlet.create("lazy.in"));

    /**
     * @param together makes a source of the first element and of those that follow
     */
    public LazySink(
            ThrowingSupplier<? extends Graph<SinkShape<I>, M>> factory,
            BiFunction<I, Publisher<I>, Graph<SourceShape<I>, ?>> together) {
        this.factory = Objects.requireNonNull(factory, "factory");
        this.together = together;
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
        private boolean hasCompleted;

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
            hasCompleted = true;
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
            if (!others.hasEnded()) {
                others.endsWith(abruptEnd());
            }
            super.postStop();
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

        private void make(I first) throws Exception {
            try {
                Graph<SinkShape<I>, M> made = Step.required(factory.make(), name());
                value.complete(ClosedGraph.ofSink(together.apply(first, others), inherited, made)
                        .runInside(this));
            } catch (Throwable failure) {
                value.completeExceptionally(new NeverMaterializedException(
                        "the sink inside lazy could not be made: " + Described.of(failure), failure));
                throw failure;
            }
        }
    }
}
