package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.plan.ClosedGraph;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import java.util.Objects;
import java.util.function.Function;

/** Runs every substream into a sink of its own. */
public final class SubstreamsSink<S, O> extends GraphStage<SinkShape<S>> {
    private final Graph<? extends SinkShape<? super O>, ?> sink;
    private final Function<? super S, ? extends Graph<SourceShape<O>, ?>> source;
    private final Inlet<S> in = Inlet.create("substreams.in");
    private final SinkShape<S> shape = SinkShape.of(in);

    /**
     * @param source gives the source of a substream
     */
    public SubstreamsSink(
            Function<? super S, ? extends Graph<SourceShape<O>, ?>> source,
            Graph<? extends SinkShape<? super O>, ?> sink) {
        this.source = source;
        this.sink = Objects.requireNonNull(sink, "sink");
    }

    @Override
    public SinkShape<S> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "substreams";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic(inherited);
    }

    private final class Logic extends GraphStageLogic implements InHandler {
        private final Attributes inherited;

        Logic(Attributes inherited) {
            super(shape);
            this.inherited = inherited;
            setHandler(in, this);
        }

        @Override
        public void preStart() {
            pull(in);
        }

        @Override
        public void onPush() {
            ClosedGraph.ofSource(source.apply(grab(in)), sink)
                    .withAttributes(inherited)
                    .runInside(this);
            tryPull(in);
        }
    }
}
