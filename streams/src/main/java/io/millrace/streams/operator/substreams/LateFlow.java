package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.failure.Described;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.failure.NeverMaterializedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.operator.FutureWait;
import io.millrace.streams.operator.futures.Awaited;
import io.millrace.streams.operator.futures.Settled;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.SubSourceOutlet;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes elements through a flow that comes late: with the first element, or with a future. It runs as a stream of its own
 * under the attributes of this one; its materialized value is a future here. Its two ends are as independent as they are
 * in itself.
 */
public final class LateFlow<I, O, M> extends GraphStageWithMaterializedValue<FlowShape<I, O>, CompletionStage<M>> {
    private static final int CAPACITY = 16;

    private final String name;
    private final boolean withFirstElement;
    private final ThrowingSupplier<? extends CompletionStage<? extends Graph<FlowShape<I, O>, M>>> factory;
    private final Chain<I, O, M> chain;
    private final Inlet<I> in;
    private final Outlet<O> out;
    private final FlowShape<I, O> shape;

    /** Puts a source and a flow together, and tells what hears of it the flow's value. */
    @FunctionalInterface
    public interface Chain<I, O, M> {
        Graph<SourceShape<O>, ?> of(
                Graph<SourceShape<I>, NotUsed> source, Graph<FlowShape<I, O>, M> flow, Consumer<M> onValue);
    }

    /**
     * @param withFirstElement whether the future is asked for when an element has come, or at the start
     */
    public LateFlow(
            String name,
            boolean withFirstElement,
            ThrowingSupplier<? extends CompletionStage<? extends Graph<FlowShape<I, O>, M>>> factory,
            Chain<I, O, M> chain) {
        this.name = name;
        this.withFirstElement = withFirstElement;
        this.factory = Objects.requireNonNull(factory, "factory");
        this.chain = chain;
        in = Inlet.create(name + ".in");
        out = Outlet.create(name + ".out");
        shape = FlowShape.of(in, out);
    }

    @Override
    public FlowShape<I, O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public LogicAndValue<CompletionStage<M>> createLogicAndValue(Attributes inherited) {
        LateLogic logic = new LateLogic(inherited);
        return new LogicAndValue<>(logic, logic.value);
    }

    private final class LateLogic extends RelayLogic<O> implements InHandler {
        private final CompletableFuture<M> value = promise();
        private final Awaited<Graph<FlowShape<I, O>, M>> awaited =
                new Awaited<>(name, StageWakeUp.of(this, nothing -> onSettled(this.awaited.take())));
        private @Nullable SubSourceOutlet<I> feed;
        private @Nullable Throwable cancellation;
        private boolean isAsked;
        private boolean isRun;
        private boolean isStarting;

        LateLogic(Attributes inherited) {
            super(shape, out, inherited);
            setHandler(in, this);
            setHandler(out, this);
        }

        @Override
        public void preStart() {
            if (!withFirstElement) {
                ask();
            }
        }

        private void ask() {
            isAsked = true;
            try {
                CompletionStage<? extends Graph<FlowShape<I, O>, M>> future = Step.required(factory.make(), name);
                if (FutureWait.isDone(future)) {
                    onSettled(Settled.of(future, name));
                } else {
                    awaited.begin(future);
                }
            } catch (Throwable failure) {
                notMade(failure);
            }
        }

        private void onSettled(Settled<Graph<FlowShape<I, O>, M>> settled) throws Exception {
            Graph<FlowShape<I, O>, M> flow = settled.value();
            if (flow == null) {
                notMade(Objects.requireNonNull(settled.failure()));
            } else {
                start(flow);
            }
        }

        private void start(Graph<FlowShape<I, O>, M> flow) throws Exception {
            isRun = true;
            isStarting = true;
            relay(() -> {
                SubSourceOutlet<I> made = subSourceOutlet(name, CAPACITY);
                made.setHandler(new Feed());
                feed = made;
                return chain.of(made.source(), flow, value::complete);
            });
            isStarting = false;
            feedIn();
        }

        private void notMade(Throwable failure) {
            value.completeExceptionally(new NeverMaterializedException(
                    "what is inside " + name + " could not be made: " + Described.of(failure), failure));
            failStage(failure);
        }

        /** Passes on what has come, and asks for more. */
        private void feedIn() {
            SubSourceOutlet<I> into = feed;
            if (into == null) {
                return;
            }
            if (isAvailable(in)) { // it was asked for when there was room
                into.push(grab(in));
            }
            if (isClosed(in)) {
                feed = null;
                into.complete();
            } else if (into.isAvailable()) {
                tryPull(in);
            }
        }

        @Override
        public void onPull() throws Exception {
            if (isRun) {
                super.onPull();
            } else if (withFirstElement && !isAsked) {
                tryPull(in);
            }
        }

        @Override
        public void onPush() {
            if (isAsked) {
                feedIn();
            } else {
                ask();
            }
        }

        @Override
        public void onUpstreamFinish() {
            if (isRun) {
                feedIn();
            } else if (!isAsked) {
                completeStage();
            }
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            SubSourceOutlet<I> ended = feed;
            feed = null;
            if (!isRun) {
                failStage(failure);
            } else if (ended != null) {
                ended.fail(failure);
            }
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            if (isRun) {
                cancelRelayed(cause);
            } else {
                cancellation = cause instanceof DownstreamFinished ? null : cause;
                cancelStage(cause);
            }
        }

        @Override
        protected void onRelayFinish() {
            complete(out);
        }

        @Override
        protected void onRelayFailure(Throwable failure) {
            if (isStarting) {
                feed = null;
                notMade(failure);
            } else {
                StageContext.of(this).noteForeign(failure);
                fail(out, failure);
            }
        }

        @Override
        public void postStop() {
            awaited.end();
            if (!value.isDone()) {
                value.completeExceptionally(neverMade());
            }
        }

        private NeverMaterializedException neverMade() {
            Throwable failure = StageContext.of(this).failure();
            Throwable why = failure == null ? cancellation : failure;
            String what = "what is inside " + name + " was never made: the stream ";
            return why == null
                    ? new NeverMaterializedException(what + "ended before it was needed")
                    : new NeverMaterializedException(what + "failed before it was needed: " + Described.of(why), why);
        }

        /** The input of the flow. */
        private final class Feed implements OutHandler {
            @Override
            public void onPull() {
                feedIn();
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
                feed = null;
                cancel(in, cause);
            }
        }
    }
}
