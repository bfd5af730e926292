package io.millrace.streams.operator.failures;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingConsumer;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.operator.substreams.RelayLogic;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import io.millrace.streams.stage.SubSourceOutlet;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Passes elements through a flow, and makes and runs a new one each time that ends, until upstream or downstream does.
 * What a flow has taken and not emitted when it ends is lost.
 */
public final class RestartingFlow<I, O> extends GraphStage<FlowShape<I, O>> {
    private static final int CAPACITY = 16;

    private final RestartSettings settings;
    private final ThrowingSupplier<? extends Graph<? extends FlowShape<? super I, O>, ?>> factory;
    private final Chain<I, O> chain;
    private final boolean endsWithItsInput;
    private final Inlet<I> in = Inlet.create("restarting.in");
    private final Outlet<O> out = Outlet.create("restarting.out");
    private final FlowShape<I, O> shape = FlowShape.of(in, out);

    /** Puts a source, what hears of its failure, and a flow together. */
    @FunctionalInterface
    public interface Chain<I, O> {
        Graph<SourceShape<O>, ?> of(
                Graph<SourceShape<I>, NotUsed> source,
                ThrowingConsumer<? super Throwable> onFailure,
                Graph<? extends FlowShape<? super I, O>, ?> flow);
    }

    /**
     * @param endsWithItsInput whether a flow has ended when it takes no more elements, or only when it emits no more
     */
    public RestartingFlow(
            RestartSettings settings,
            ThrowingSupplier<? extends Graph<? extends FlowShape<? super I, O>, ?>> factory,
            Chain<I, O> chain,
            boolean endsWithItsInput) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.factory = Objects.requireNonNull(factory, "factory");
        this.chain = chain;
        this.endsWithItsInput = endsWithItsInput;
    }

    @Override
    public FlowShape<I, O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "restarting";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new RestartLogic(inherited);
    }

    private final class RestartLogic extends RelayLogic<O> implements InHandler {
        private final RestartCount count = new RestartCount(settings);
        private @Nullable SubSourceOutlet<I> feed;
        private @Nullable Throwable upstreamFailure;
        /** Whether a flow has heard of upstream's failure, and made of it whatever it ended with; set in that flow's island. */
        private volatile boolean isFailureHeard;

        RestartLogic(Attributes inherited) {
            super(shape, out, inherited);
            setHandler(in, this);
            setHandler(out, this);
        }

        @Override
        public void preStart() {
            try {
                start();
            } catch (Throwable failure) {
                failStage(failure);
            }
        }

        private void start() throws Exception {
            relay(() -> {
                count.started(nowNanos());
                SubSourceOutlet<I> made = subSourceOutlet("restarting", CAPACITY);
                made.setHandler(new Feed(made));
                feed = made;
                return chain.of(made.source(), heard -> isFailureHeard = true, Step.required(factory.make(), name()));
            });
            feedIn();
        }

        /** Passes on what has come, and asks for more; without a flow an element waits on its edge. */
        private void feedIn() {
            SubSourceOutlet<I> into = feed;
            if (into == null || !into.isAvailable()) {
                return;
            }
            if (isAvailable(in)) {
                into.push(grab(in));
            }
            if (isClosed(in)) {
                endFeed();
            } else if (into.isAvailable()) {
                tryPull(in);
            }
        }

        private void endFeed() {
            SubSourceOutlet<I> ended = feed;
            feed = null;
            if (ended != null) {
                if (upstreamFailure == null) {
                    ended.complete();
                } else {
                    ended.fail(upstreamFailure);
                }
                if (endsWithItsInput) {
                    completeStage();
                }
            }
        }

        @Override
        public void onPush() {
            feedIn();
        }

        @Override
        public void onUpstreamFinish() {
            if (isAvailable(in)) {
                feedIn();
            } else if (feed != null) {
                endFeed();
            } else if (!isRelaying()) {
                end(null);
            }
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            upstreamFailure = failure;
            onUpstreamFinish();
        }

        @Override
        public void onDownstreamFinish(Throwable cause) throws Exception {
            SubSourceOutlet<I> ended = feed;
            feed = null;
            if (ended != null) {
                ended.complete();
            }
            super.onDownstreamFinish(cause);
        }

        @Override
        protected void onRelayFinish() throws Exception {
            restart(null);
        }

        @Override
        protected void onRelayFailure(Throwable failure) throws Exception {
            restart(failure);
        }

        private void restart(@Nullable Throwable failure) throws Exception {
            SubSourceOutlet<I> old = feed;
            feed = null;
            if (old != null) {
                old.complete();
            }
            if (isClosed(in) && !isAvailable(in)) {
                end(failure);
                return;
            }
            Optional<Duration> wait = count.afterEnd(failure, nowNanos());
            if (wait.isPresent()) {
                scheduleOnce(this, wait.get());
            } else {
                end(failure);
            }
        }

        private void end(@Nullable Throwable ofFlow) {
            Throwable failure = ofFlow == null && !isFailureHeard ? upstreamFailure : ofFlow;
            if (failure == null) {
                completeStage();
            } else {
                failStage(failure);
            }
        }

        @Override
        protected void onOwnTimer() throws Exception {
            onceReleased(this::start);
        }

        /** The input of one flow. */
        private final class Feed implements OutHandler {
            private final SubSourceOutlet<I> outlet;

            Feed(SubSourceOutlet<I> outlet) {
                this.outlet = outlet;
            }

            @Override
            public void onPull() {
                if (feed == outlet) {
                    feedIn();
                }
            }

            @Override
            public void onDownstreamFinish(Throwable cause) throws Exception {
                if (feed != outlet) {
                    return;
                }
                feed = null;
                if (endsWithItsInput) {
                    cancelRelayed(cause);
                    restart(cause instanceof DownstreamFinished ? null : cause);
                }
            }
        }
    }
}
