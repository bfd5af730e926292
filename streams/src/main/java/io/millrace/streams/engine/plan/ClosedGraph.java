package io.millrace.streams.engine.plan;

import io.millrace.streams.engine.failure.Unchecked;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;

/** A source and a sink that an operator runs by itself, as a stream of its own. Immutable. */
public final class ClosedGraph<M> extends BlueprintGraph<ClosedShape, M> {
    private ClosedGraph(Blueprint blueprint) {
        super(blueprint);
    }

    /** A source that runs into a sink; the value is that of the source. */
    public static <M> ClosedGraph<M> ofSource(
            Graph<? extends SourceShape<?>, M> source, Graph<? extends SinkShape<?>, ?> sink) {
        return new ClosedGraph<>(new Blueprint.Chain(Blueprint.of(source), Blueprint.of(sink), Combine.LEFT));
    }

    /** As {@link #ofSource(Graph, Graph)}, with attributes of the source alone. */
    public static <M> ClosedGraph<M> ofSource(
            Graph<? extends SourceShape<?>, M> source, Attributes ofSource, Graph<? extends SinkShape<?>, ?> sink) {
        Blueprint attributed = new Blueprint.Attributed(Blueprint.of(source), ofSource);
        return new ClosedGraph<>(new Blueprint.Chain(attributed, Blueprint.of(sink), Combine.LEFT));
    }

    /** A source with attributes of its own that runs into a sink; the value is that of the sink. */
    public static <M> ClosedGraph<M> ofSink(
            Graph<? extends SourceShape<?>, ?> source, Attributes ofSource, Graph<? extends SinkShape<?>, M> sink) {
        Blueprint attributed = new Blueprint.Attributed(Blueprint.of(source), ofSource);
        return new ClosedGraph<>(new Blueprint.Chain(attributed, Blueprint.of(sink), Combine.RIGHT));
    }

    /** The same graph with these attributes added to it. */
    public ClosedGraph<M> withAttributes(Attributes attributes) {
        return new ClosedGraph<>(new Blueprint.Attributed(blueprint(), attributes));
    }

    @Override
    public ClosedShape shape() {
        return ClosedShape.of();
    }

    /** Runs it. */
    public M run(Materializer materializer) {
        return materializer.materialize(this);
    }

    /**
     * Runs it for a stage. If it cannot be made, what was thrown is thrown as it is, and the failure reporter is told where
     * that was; if the runtime is closed, what ends the owner's stream is thrown.
     */
    public M runInside(GraphStageLogic owner) {
        StageContext context = StageContext.of(owner);
        try {
            return run(context.materializer());
        } catch (StreamException notMade) {
            throw Unchecked.of(context.reportNotMade(notMade));
        } catch (IllegalStateException refused) {
            throw Unchecked.of(context.reasonFor(refused));
        }
    }
}
