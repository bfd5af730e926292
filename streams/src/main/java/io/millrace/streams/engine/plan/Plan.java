package io.millrace.streams.engine.plan;

import io.millrace.streams.engine.island.Engine;
import io.millrace.streams.engine.island.StreamLayout;
import io.millrace.streams.engine.island.StreamRun;
import io.millrace.streams.engine.pool.DeferredTask;
import io.millrace.streams.engine.pool.SpinThenParkFuture;
import io.millrace.streams.engine.pool.TaskExecutor;
import io.millrace.streams.engine.segment.OriginStage;
import io.millrace.streams.engine.segment.SegmentStage;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.StageScope;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A compiled blueprint: dense arrays from which a run is made without looking anything up. Immutable after compiling;
 * shared by all runs.
 */
public final class Plan implements StreamLayout {
    /** So many boundaries an island has that is no part of a line. */
    private static final int MANY = 3;

    /** The name of a stream that has been given none. */
    static final String UNNAMED = "stream";

    private static final Attributes[] NO_ATTRIBUTES = {Attributes.NONE};
    private static final int[] ISLAND_OF_ONE = {0};
    private static final byte[] BOUNDARIES_OF_ONE = {0};
    private static final EdgeTable NO_EDGES = new EdgeTable(0);

    final String streamName;
    final GraphStageWithMaterializedValue<?, ?>[] stages;
    final Attributes[] attributes;
    final int[] islandOfStage;
    /** Between stages. */
    final EdgeTable edges;

    final Attributes[] islandAttributes;
    private final byte[] boundariesOfIsland;
    private final boolean isSelfContained;
    final ValueProgram program;

    Plan(String streamName, Fusion fusion, Attributes[] islandAttributes, ValueProgram program) {
        this.streamName = streamName;
        this.islandAttributes = islandAttributes;
        this.program = program;
        stages = fusion.nodes();
        attributes = fusion.nodeAttributes();
        islandOfStage = fusion.islandOfNode();
        edges = fusion.edgesOfNodes();
        boundariesOfIsland = countBoundaries();
        isSelfContained = findSelfContained();
    }

    /** Of one segment from an origin to a terminal. */
    Plan(SegmentStage segment, ValueProgram program) {
        streamName = UNNAMED;
        this.program = program;
        islandAttributes = NO_ATTRIBUTES;
        stages = new GraphStageWithMaterializedValue<?, ?>[] {segment};
        attributes = NO_ATTRIBUTES;
        islandOfStage = ISLAND_OF_ONE;
        edges = NO_EDGES;
        boundariesOfIsland = BOUNDARIES_OF_ONE;
        isSelfContained = true;
    }

    private Plan(Plan same, int stage, SegmentStage instead) {
        streamName = same.streamName;
        program = same.program;
        islandAttributes = same.islandAttributes;
        stages = same.stages.clone();
        stages[stage] = instead;
        attributes = same.attributes;
        islandOfStage = same.islandOfStage;
        edges = same.edges;
        boundariesOfIsland = same.boundariesOfIsland;
        isSelfContained = same.isSelfContained;
    }

    /** The same with another origin of the same kind, where the elements of this stage, a segment, begin. */
    Plan withOrigin(int stage, OriginStage<?> head) {
        return new Plan(this, stage, ((SegmentStage) stages[stage]).withOrigin(head));
    }

    /** The first stage that is a segment in which elements begin, or -1. */
    int stageOfOrigin() {
        for (int i = 0; i < stages.length; i++) {
            if (stages[i] instanceof SegmentStage segment && segment.hasOrigin()) {
                return i;
            }
        }
        return -1;
    }

    private byte[] countBoundaries() {
        byte[] counts = new byte[islandAttributes.length];
        for (int e = 0; e < edges.count(); e++) {
            int from = islandOfStage[edges.from(e)];
            int to = islandOfStage[edges.to(e)];
            if (from != to) {
                counts[from] = (byte) Math.min(counts[from] + 1, MANY);
                counts[to] = (byte) Math.min(counts[to] + 1, MANY);
            }
        }
        return counts;
    }

    /** Runs it and hands back its materialized value; when it cannot start, everything made is released. */
    public Object run(Engine engine) {
        StreamRun run = engine.open(this, islandCount());
        Object value;
        @Nullable DeferredTask deferred;
        try {
            value = Materialization.of(this, run);
            deferred = isSelfContained && value instanceof SpinThenParkFuture<?> awaited && StageScope.current() == null
                    ? awaited.deferred()
                    : null;
            if (deferred == null) {
                run.register();
            }
            engine.refuseIfClosed(run);
        } catch (Throwable t) {
            run.discard(t instanceof StreamException placed && placed.getCause() != null ? placed.getCause() : t);
            throw t;
        }
        if (deferred != null) {
            run.launch(deferred);
        } else {
            run.launch();
        }
        return value;
    }

    /**
     * Whether it is one island for the runtime's own threads, and all that comes into it comes from plain origins: then nobody else can tell a start at once
     * from one a moment later.
     */
    private boolean findSelfContained() {
        if (islandCount() != 1 || namedExecutor(islandAttributes[0]).isPresent()) {
            return false;
        }
        for (GraphStageWithMaterializedValue<?, ?> stage : stages) {
            if (!(stage instanceof SegmentStage) && stage.shape().inlets().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Whether an island stands at no more boundaries than one that is part of a line. */
    boolean isInLine(int island) {
        return boundariesOfIsland[island] < MANY;
    }

    @Override
    public String streamName() {
        return streamName;
    }

    int islandCount() {
        return islandAttributes.length;
    }

    TaskExecutor executor(int island, Engine engine) {
        Attributes own = islandAttributes[island];
        if (own == Attributes.NONE) {
            return engine.executor();
        }
        return namedExecutor(own)
                .map(named -> TaskExecutor.of(engine.resolve(named)))
                .orElseGet(engine::executor);
    }

    private static Optional<Executor> namedExecutor(Attributes own) {
        return own.find(Attributes.ObserveOn.class)
                .map(Attributes.ObserveOn::executor)
                .or(() -> own.find(Attributes.Place.class).map(Attributes.Place::executor));
    }

    @Override
    public int drainBatch(int stage, int byDefault) {
        Attributes own = attributes[stage];
        return own == Attributes.NONE
                ? byDefault
                : own.find(Attributes.DrainBatch.class)
                        .map(Attributes.DrainBatch::messages)
                        .orElse(byDefault);
    }

    @Override
    public void forEachBoundary(EdgeVisitor visitor) {
        for (int e = 0; e < edges.count(); e++) {
            int from = edges.from(e);
            int to = edges.to(e);
            if (islandOfStage[from] != islandOfStage[to]) {
                visitor.visit(from, to);
            }
        }
    }

    @Override
    public String stageName(int stage) {
        if (stage >= stages.length) {
            return "boundary";
        }
        if (stages[stage] instanceof SegmentStage) {
            return stages[stage].name();
        }
        return attributes[stage].pathTo(stages[stage].name());
    }
}
