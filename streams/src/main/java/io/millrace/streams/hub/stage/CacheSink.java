package io.millrace.streams.hub.stage;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;

/** Takes every element at once and keeps it. */
public final class CacheSink<T> extends GraphStage<SinkShape<T>> {
    private final Inlet<T> in = Inlet.create("cache.in");
    private final SinkShape<T> shape = SinkShape.of(in);
    private final CachedElements<T> cached;

    CacheSink(CachedElements<T> cached) {
        this.cached = cached;
    }

    @Override
    public SinkShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "cache";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        Logic() {
            super(shape);
            setHandler(in, this);
        }

        @Override
        public void preStart() {
            pull(in);
        }

        @Override
        public void onPush() {
            cached.add(grab(in));
            pull(in);
        }

        @Override
        public void onUpstreamFinish() {
            cached.end(null);
            completeStage();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            cached.end(failure);
            failStage(failure);
        }

        @Override
        public void postStop() {
            cached.end(abruptEnd());
        }
    }
}
