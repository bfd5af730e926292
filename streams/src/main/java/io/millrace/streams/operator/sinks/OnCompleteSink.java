package io.millrace.streams.operator.sinks;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.ThrowingConsumer;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import java.util.Objects;
import java.util.Optional;

/** Drops every element and calls back once when the stream ends, with what it failed with, if it failed. */
public final class OnCompleteSink<I> extends GraphStage<SinkShape<I>> {
    private final ThrowingConsumer<Optional<Throwable>> callback;
    private final Inlet<I> in = Inlet.create("onComplete.in");
    private final SinkShape<I> shape = SinkShape.of(in);

    public OnCompleteSink(ThrowingConsumer<Optional<Throwable>> callback) {
        this.callback = Objects.requireNonNull(callback, "callback");
    }

    @Override
    public SinkShape<I> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "onComplete";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private Optional<Throwable> failure = Optional.empty();
        private boolean ended;

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
            grab(in);
            pull(in);
        }

        @Override
        public void onUpstreamFinish() {
            ended = true;
            completeStage();
        }

        @Override
        public void onUpstreamFailure(Throwable cause) {
            ended = true;
            failure = Optional.of(cause);
            failStage(cause);
        }

        @Override
        public void postStop() throws Exception {
            callback.accept(ended ? failure : Optional.of(abruptEnd()));
        }
    }
}
