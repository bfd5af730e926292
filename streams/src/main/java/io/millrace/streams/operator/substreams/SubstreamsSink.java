package io.millrace.streams.operator.substreams;

import io.millrace.streams.KeyedSource;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import java.util.Objects;

/** Runs every substream into a sink of its own. */
public final class SubstreamsSink<K, O> extends GraphStage<SinkShape<KeyedSource<K, O>>> {
    private final Graph<? extends SinkShape<? super O>, ?> sink;
    private final Inlet<KeyedSource<K, O>> in = Inlet.create("substreams.in");
    private final SinkShape<KeyedSource<K, O>> shape = SinkShape.of(in);

    public SubstreamsSink(Graph<? extends SinkShape<? super O>, ?> sink) {
        this.sink = Objects.requireNonNull(sink, "sink");
    }

    @Override
    public SinkShape<KeyedSource<K, O>> shape() {
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
            grab(in).source().to(sink).withAttributes(inherited).run(runtime());
            tryPull(in);
        }
    }
}
