package io.millrace.streams.engine;

import io.millrace.streams.Attributes;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import java.util.concurrent.Executor;

/**
 * A compiled blueprint: dense arrays from which a run is made without looking anything up. Immutable after compiling;
 * shared by all runs.
 */
public final class Plan {
    final String streamName;
    final GraphStageWithMaterializedValue<?, ?>[] stages;
    final Attributes[] attributes;
    final int[] islandOfStage;
    /** For each edge: the stage it comes from, its outlet there, the stage it goes to, its inlet there. */
    final int[] edges;

    final Attributes[] islandAttributes;
    final int[] stagesOfIsland;
    final int[] edgesOfIsland;
    final ValueProgram program;
    private final int boundaryCount;

    Plan(String streamName, Fusion fusion, Attributes[] islandAttributes, ValueProgram program) {
        this.streamName = streamName;
        this.islandAttributes = islandAttributes;
        this.program = program;
        stages = fusion.nodes();
        attributes = fusion.nodeAttributes();
        islandOfStage = fusion.islandOfNode();
        edges = fusion.edgesOfNodes();
        stagesOfIsland = new int[islandAttributes.length];
        edgesOfIsland = new int[islandAttributes.length];
        boundaryCount = count();
    }

    /**
     * A boundary adds a stage and an edge to the islands on both sides, but not at a segment; a segment may have an edge
     * to itself.
     */
    private int count() {
        int boundaries = 0;
        for (int i = 0; i < stages.length; i++) {
            int island = islandOfStage[i];
            stagesOfIsland[island]++;
            if (stages[i] instanceof SegmentStage stage && stage.segment().drivesItself()) {
                edgesOfIsland[island]++;
            }
        }
        for (int e = 0; e < edges.length; e += 4) {
            int from = islandOfStage[edges[e]];
            int to = islandOfStage[edges[e + 2]];
            if (from == to) {
                edgesOfIsland[from]++;
            } else {
                addBoundarySide(edges[e]);
                addBoundarySide(edges[e + 2]);
                boundaries++;
            }
        }
        return boundaries;
    }

    /** How many edges go from one island to another. */
    int boundaryCount() {
        return boundaryCount;
    }

    private void addBoundarySide(int stage) {
        if (!(stages[stage] instanceof SegmentStage)) {
            stagesOfIsland[islandOfStage[stage]]++;
            edgesOfIsland[islandOfStage[stage]]++;
        }
    }

    String streamName() {
        return streamName;
    }

    int islandCount() {
        return islandAttributes.length;
    }

    int stageCount(int island) {
        return stagesOfIsland[island];
    }

    int edgeCount(int island) {
        return edgesOfIsland[island];
    }

    Executor executor(int island, Engine engine) {
        Attributes own = islandAttributes[island];
        return own.find(Attributes.ObserveOn.class)
                .map(Attributes.ObserveOn::executor)
                .or(() -> own.find(Attributes.Place.class).map(Attributes.Place::executor))
                .map(named -> IslandWorker.of(engine.resolve(named)))
                .orElseGet(engine::executor);
    }

    int drainBatch(int stage, Engine engine) {
        Attributes own = attributes[stage];
        return own == Attributes.NONE
                ? engine.settings().drainBatch()
                : own.find(Attributes.DrainBatch.class)
                        .map(Attributes.DrainBatch::messages)
                        .orElseGet(() -> engine.settings().drainBatch());
    }

    String stageName(int stage) {
        if (stage >= stages.length) {
            return "boundary";
        }
        if (stages[stage] instanceof SegmentStage) {
            return stages[stage].name();
        }
        return attributes[stage].pathTo(stages[stage].name());
    }
}
