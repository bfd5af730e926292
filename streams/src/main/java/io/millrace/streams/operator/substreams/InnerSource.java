package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.island.SubstreamInput;
import io.millrace.streams.engine.island.SubstreamOutput;
import io.millrace.streams.engine.plan.ClosedGraph;
import io.millrace.streams.engine.segment.OriginStage;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Collections;
import java.util.Iterator;

/** A source whose elements a stage emits: run as a stream of its own, unless there is a way without. */
public sealed interface InnerSource<O> {
    /** A loop, which the stage runs itself. */
    record Loop<O>(OriginStage<?> origin) implements InnerSource<O> {
        @Override
        @SuppressWarnings("unchecked")
        public ActiveSubstream<O> open(GraphStageLogic owner, Place place, ActiveSubstream.Listener<O> listener)
                throws Exception {
            return new ActiveSubstream.Looping<>((Iterator<O>) origin.newIterator());
        }
    }

    /** Nothing but a failure. */
    record Failed<O>(Throwable cause) implements InnerSource<O> {
        @Override
        public ActiveSubstream<O> open(GraphStageLogic owner, Place place, ActiveSubstream.Listener<O> listener) {
            return new ActiveSubstream.Looping<>(Collections.emptyIterator(), cause);
        }
    }

    /** What another stage emits while it runs, in this island or another: taken from there. */
    record Emitted<O>(SubstreamOutput<O> outflow) implements InnerSource<O> {
        @Override
        public ActiveSubstream<O> open(GraphStageLogic owner, Place place, ActiveSubstream.Listener<O> listener) {
            RuntimeException why = outflow.claim();
            if (why != null) {
                return new ActiveSubstream.Looping<>(Collections.emptyIterator(), why);
            }
            ActiveSubstream.Running<O> inner = new ActiveSubstream.Running<>();
            inner.runsInto(outflow.into(owner, signal -> listener.onSignal(inner)));
            return inner;
        }
    }

    /** Anything else. */
    record Running<O>(Graph<? extends SourceShape<? extends O>, ?> graph) implements InnerSource<O> {
        @Override
        public ActiveSubstream<O> open(GraphStageLogic owner, Place place, ActiveSubstream.Listener<O> listener) {
            ActiveSubstream.Running<O> inner = new ActiveSubstream.Running<>();
            SubstreamInput<O> inflow =
                    SubstreamInput.open(owner, place.operator(), place.window(), signal -> listener.onSignal(inner));
            inner.runsInto(inflow);
            ClosedGraph.ofSource(graph, inflow.stage())
                    .withAttributes(place.attributes())
                    .runInside(owner);
            return inner;
        }
    }

    /** How it is run: for which operator, how many elements may wait there, and under which attributes. */
    record Place(String operator, int window, Attributes attributes) {}

    /** Begins it, in the owner's island; the listener hears of elements that it has to wait for. */
    ActiveSubstream<O> open(GraphStageLogic owner, Place place, ActiveSubstream.Listener<O> listener) throws Exception;
}
