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

    Plan(PlanCompiler compiled) {
        streamName = compiled.streamName();
        stages = compiled.stages();
        attributes = compiled.attributes();
        islandOfStage = compiled.islandOfStage();
        edges = compiled.edges();
        islandAttributes = compiled.islandAttributes();
        program = compiled.program();
        stagesOfIsland = new int[islandAttributes.length];
        edgesOfIsland = new int[islandAttributes.length];
        boundaryCount = count();
    }

    /** A boundary adds a stage and an edge to the islands on both sides. */
    private int count() {
        int boundaries = 0;
        for (int island : islandOfStage) {
            stagesOfIsland[island]++;
        }
        for (int e = 0; e < edges.length; e += 4) {
            int from = islandOfStage[edges[e]];
            int to = islandOfStage[edges[e + 2]];
            edgesOfIsland[from]++;
            if (from != to) {
                stagesOfIsland[from]++;
                stagesOfIsland[to]++;
                edgesOfIsland[to]++;
                boundaries++;
            }
        }
        return boundaries;
    }

    /** How many edges go from one island to another. */
    int boundaryCount() {
        return boundaryCount;
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

    String stageName(int stage) {
        if (stage >= stages.length) {
            return "boundary";
        }
        return attributes[stage].pathTo(stages[stage].name());
    }
}
