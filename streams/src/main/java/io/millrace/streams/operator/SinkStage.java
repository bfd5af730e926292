package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.Inlet;
import io.millrace.streams.SinkShape;
import io.millrace.streams.engine.RunHandler;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** An operator with one inlet only, which gives back a future of its result. */
abstract class SinkStage<I, R> extends GraphStageWithMaterializedValue<SinkShape<I>, CompletionStage<R>> {
    private final String name;
    private final SinkShape<I> shape;

    SinkStage(String name) {
        this.name = name;
        shape = SinkShape.of(Inlet.create(name + ".in"));
    }

    @Override
    public final SinkShape<I> shape() {
        return shape;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final LogicAndValue<CompletionStage<R>> createLogicAndValue(Attributes inherited) {
        Logic<I, R> logic = createLogic();
        return new LogicAndValue<>(logic, logic.result);
    }

    abstract Logic<I, R> createLogic();

    /** The logic of such an operator: asks for everything; a failure of upstream is the result's failure. */
    abstract static class Logic<I, R> extends GraphStageLogic implements InHandler, RunHandler {
        final Inlet<I> in;
        final CompletableFuture<R> result = promise();

        Logic(SinkStage<I, R> stage) {
            super(stage.shape);
            in = stage.shape.in();
            setHandler(in, this);
        }

        /** What the result is when upstream has completed. */
        abstract R resultAtEnd() throws Exception;

        /** Takes an element. */
        abstract void accept(I element) throws Exception;

        @Override
        public void preStart() {
            pull(in);
        }

        @Override
        public void onPush() throws Exception {
            accept(grab(in));
            tryPull(in);
        }

        @Override
        @SuppressWarnings("unchecked")
        public int onPushAll(Iterator<?> elements) throws Exception {
            int taken = 0;
            while (elements.hasNext() && !isClosed(in)) {
                accept((I) elements.next());
                taken++;
            }
            return taken;
        }

        @Override
        public void onUpstreamFinish() throws Exception {
            result.complete(resultAtEnd());
            completeStage();
        }
    }
}
