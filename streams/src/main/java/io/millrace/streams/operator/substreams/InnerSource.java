package io.millrace.streams.operator.substreams;

import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.engine.Inflow;
import io.millrace.streams.engine.OriginStage;
import io.millrace.streams.engine.Outflow;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
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
        public Inner<O> open(GraphStageLogic owner, Place place, Inner.Listener<O> listener) throws Exception {
            return new Inner.Looping<>((Iterator<O>) origin.newIterator());
        }
    }

    /** Nothing but a failure. */
    record Failed<O>(Throwable cause) implements InnerSource<O> {
        @Override
        public Inner<O> open(GraphStageLogic owner, Place place, Inner.Listener<O> listener) {
            return new Inner.Looping<>(Collections.emptyIterator(), cause);
        }
    }

    /** What another stage emits while it runs, in this island or another: taken from there. */
    record Emitted<O>(Outflow<O> outflow) implements InnerSource<O> {
        @Override
        public Inner<O> open(GraphStageLogic owner, Place place, Inner.Listener<O> listener) {
            RuntimeException why = outflow.claim();
            if (why != null) {
                return new Inner.Looping<>(Collections.emptyIterator(), why);
            }
            Inner.Running<O> inner = new Inner.Running<>();
            inner.runsInto(outflow.into(owner, signal -> listener.onSignal(inner)));
            return inner;
        }
    }

    /** Anything else. */
    record Running<O>(Graph<? extends SourceShape<? extends O>, ?> graph) implements InnerSource<O> {
        @Override
        public Inner<O> open(GraphStageLogic owner, Place place, Inner.Listener<O> listener) {
            Inner.Running<O> inner = new Inner.Running<>();
            Inflow<O> inflow = Inflow.open(owner, place.operator(), place.window(), signal -> listener.onSignal(inner));
            inner.runsInto(inflow);
            Running.<O>source(graph)
                    .to(Sink.fromGraph(inflow.stage()))
                    .withAttributes(place.attributes())
                    .run(place.runtime());
            return inner;
        }

        @SuppressWarnings("unchecked")
        private static <O> Source<O, NotUsed> source(Graph<? extends SourceShape<? extends O>, ?> graph) {
            return Source.fromGraph((Graph<SourceShape<O>, NotUsed>) graph);
        }
    }

    /** Where it is run: for which operator, how many elements may wait there, and under which attributes. */
    record Place(String operator, int window, Attributes attributes, StreamRuntime runtime) {}

    /** Begins it, in the owner's island; the listener hears of elements that it has to wait for. */
    Inner<O> open(GraphStageLogic owner, Place place, Inner.Listener<O> listener) throws Exception;
}
