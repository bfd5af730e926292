package io.millrace.streams.engine;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.StreamException;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the stages and the wires of one run from its plan, in O(n). */
final class Materialization {
    private final Plan plan;
    private final StreamRun run;
    private final StageContext[] contexts;
    private final Object[] values;
    private final Island[] islands;
    private @Nullable Boundary lastBoundary;

    private Materialization(Plan plan, StreamRun run) {
        this.plan = plan;
        this.run = run;
        islands = run.makeIslands();
        contexts = new StageContext[plan.stages.length];
        values = new Object[plan.stages.length];
    }

    /** Puts the run together, not started yet, and hands back its materialized value. */
    static Object of(Plan plan, StreamRun run) {
        Materialization materialization = new Materialization(plan, run);
        materialization.makeStages();
        materialization.makeWires();
        return materialization.plan.program.run(materialization.values);
    }

    private void makeStages() {
        for (int i = 0; i < contexts.length; i++) {
            try {
                makeStage(i);
            } catch (Throwable t) {
                throw place(i, "could not be made", t);
            }
        }
    }

    private void makeStage(int i) {
        GraphStageWithMaterializedValue<?, ?> stage = plan.stages[i];
        if (stage instanceof SegmentStage segment) {
            SegmentRun made = segment.newRun();
            add(i, made, made.value());
        } else {
            LogicAndValue<?> made = stage.createLogicAndValue(plan.attributes[i]);
            add(i, made.logic(), made.value());
        }
    }

    private void add(int i, GraphStageLogic logic, Object value) {
        StageContext context = StageAccess.context(logic);
        islands[plan.islandOfStage[i]].add(context, i);
        contexts[i] = context;
        values[i] = value;
    }

    private void makeWires() {
        int[] edges = plan.edges;
        for (int e = 0; e < edges.length; e += 4) {
            int from = edges[e];
            int to = edges[e + 2];
            try {
                if (plan.islandOfStage[from] == plan.islandOfStage[to]) {
                    connect(plan.islandOfStage[from], contexts[from], edges[e + 1], contexts[to], edges[e + 3]);
                } else {
                    connectAcross(from, edges[e + 1], to, edges[e + 3]);
                }
            } catch (Throwable t) {
                throw place(from, "could not be wired to " + plan.stageName(to), t);
            }
        }
        for (StageContext context : contexts) {
            context.wired();
        }
    }

    private void connect(int islandIndex, StageContext from, int outlet, StageContext to, int inlet) {
        Edge.wire(islands[islandIndex], from, outlet, to, inlet);
    }

    private void connectAcross(int from, int outlet, int to, int inlet) {
        int fromIsland = plan.islandOfStage[from];
        int toIsland = plan.islandOfStage[to];
        int capacity = plan.attributes[to]
                .find(Attributes.InputBuffer.class)
                .map(Attributes.InputBuffer::elements)
                .orElse(run.engine().settings().inputBuffer());
        Boundary boundary = new Boundary(islands[fromIsland], islands[toIsland], capacity);
        run.add(boundary, lastBoundary);
        lastBoundary = boundary;
        if (plan.stages[from] instanceof SegmentStage) {
            segment(from).leadTo(boundary);
        } else {
            StageContext entry = StageAccess.context(new BoundaryEntry(boundary));
            islands[fromIsland].add(entry, plan.stages.length);
            connect(fromIsland, contexts[from], outlet, entry, 0);
            entry.wired();
        }
        if (plan.stages[to] instanceof SegmentStage) {
            segment(to).comeFrom(boundary);
        } else {
            StageContext exit = StageAccess.context(new BoundaryExit(boundary));
            islands[toIsland].add(exit, plan.stages.length);
            connect(toIsland, exit, 0, contexts[to], inlet);
            exit.wired();
        }
    }

    private SegmentRun segment(int stage) {
        return (SegmentRun) Objects.requireNonNull(contexts[stage].logic(), "logic");
    }

    private StreamException place(int stage, String what, Throwable failure) {
        return run.place(plan.stageName(stage), what, failure);
    }
}
