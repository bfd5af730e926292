package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.engine.plan.BlueprintGraph;
import io.millrace.streams.engine.plan.Plan;
import io.millrace.streams.engine.plan.PlanCompiler;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Materializer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A graph without open ports: it can be run, any number of times, from any thread. The first run compiles it; the
 * compiled plan is kept.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code plan}: written by whoever compiles; two may compile at once, and either plan will do.<br>
 * <b>States</b>: not compiled -> compiled.<br>
 * <b>Proved by</b>: MaterializationTest.
 */
@SuppressWarnings("exports") // what it inherits is not for users
public final class RunnableGraph<M> extends BlueprintGraph<ClosedShape, M> {
    private volatile @Nullable Plan plan;

    RunnableGraph(Blueprint blueprint) {
        super(blueprint);
    }

    /** A graph without open ports as a runnable one. */
    public static <M> RunnableGraph<M> fromGraph(Graph<ClosedShape, M> graph) {
        return graph instanceof RunnableGraph<M> runnable ? runnable : new RunnableGraph<>(Blueprint.of(graph));
    }

    @Override
    public ClosedShape shape() {
        return ClosedShape.of();
    }

    /** Runs it on the shared runtime. */
    public M run() {
        return run(StreamRuntime.shared());
    }

    /**
     * Runs it and hands back its materialized value; what a stage needs to start runs afterwards, in its island.
     *
     * @throws StreamException when a stage cannot be made; what was made before has been released
     * @throws IllegalStateException when the runtime is closed
     */
    public M run(Materializer runtime) {
        return runtime.materialize(this);
    }

    /** What it is compiled to, by the first that asks. */
    Plan plan() {
        Plan compiled = plan;
        if (compiled == null) {
            compiled = PlanCompiler.compile(blueprint());
            plan = compiled;
        }
        return compiled;
    }

    /** The same graph with another materialized value. */
    public <M2> RunnableGraph<M2> mapMaterializedValue(Function<? super M, ? extends M2> function) {
        return new RunnableGraph<>(Blueprints.mapValue(blueprint(), function));
    }

    /** The same graph under a name, which becomes the stream's name in snapshots and failures. */
    public RunnableGraph<M> named(String name) {
        return withAttributes(Attributes.name(name));
    }

    /** The same graph with these attributes added to it. */
    public RunnableGraph<M> withAttributes(Attributes attributes) {
        return new RunnableGraph<>(Blueprints.withAttributes(blueprint(), attributes));
    }
}
