package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.Graph;
import io.millrace.streams.NeverMaterializedException;
import io.millrace.streams.Outlet;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.SourceShape;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.ThrowingBiFunction;
import io.millrace.streams.engine.Described;
import io.millrace.streams.engine.Step;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Emits what another source emits, which is made when this one starts or, lazily, when it is first asked. It runs as a
 * stream of its own under the attributes of this one; its materialized value is a future here.
 */
public final class NestedSource<O, M> extends GraphStageWithMaterializedValue<SourceShape<O>, CompletionStage<M>> {
    private final String name;
    private final boolean lazily;
    private final ThrowingBiFunction<StreamRuntime, Attributes, ? extends Graph<SourceShape<O>, M>> factory;
    private final SourceShape<O> shape;

    public NestedSource(
            String name,
            boolean lazily,
            ThrowingBiFunction<StreamRuntime, Attributes, ? extends Graph<SourceShape<O>, M>> factory) {
        this.name = name;
        this.lazily = lazily;
        this.factory = Objects.requireNonNull(factory, "factory");
        shape = SourceShape.of(Outlet.create(name + ".out"));
    }

    @Override
    public SourceShape<O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public LogicAndValue<CompletionStage<M>> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic(inherited);
        return new LogicAndValue<>(logic, logic.value);
    }

    private final class Logic extends InboundLogic<O> {
        private final CompletableFuture<M> value = promise();
        private final Attributes inherited;
        private boolean asked;

        Logic(Attributes inherited) {
            super(shape, inherited);
            this.inherited = inherited;
        }

        @Override
        public void preStart() throws Exception {
            if (!lazily) {
                make();
            }
        }

        @Override
        public void onPull() throws Exception {
            if (lazily && !asked) {
                make();
            }
            super.onPull();
        }

        @Override
        public void postStop() throws Exception {
            super.postStop();
            if (!value.isDone()) {
                value.completeExceptionally(new NeverMaterializedException(
                        "the source inside " + name + " was never made: the stream ended before it was needed"));
            }
        }

        private void make() throws Exception {
            asked = true;
            try {
                value.complete(Source.fromGraph(Step.required(factory.apply(runtime(), inherited), name))
                        .withAttributes(inherited)
                        .to(Sink.fromSubscriber(subscriber()))
                        .run(runtime()));
            } catch (Throwable failure) {
                value.completeExceptionally(new NeverMaterializedException(
                        "the source inside " + name + " could not be made: " + Described.of(failure), failure));
                throw failure;
            }
        }
    }
}
