package io.millrace.streams.engine.plan;

import io.millrace.streams.engine.island.Boundary;
import io.millrace.streams.engine.island.BoundaryEntry;
import io.millrace.streams.engine.island.BoundaryExit;
import io.millrace.streams.engine.island.Edge;
import io.millrace.streams.engine.island.Island;
import io.millrace.streams.engine.island.Outside;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.island.StreamRun;
import io.millrace.streams.engine.segment.SegmentRun;
import io.millrace.streams.engine.segment.SegmentStage;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.StageScope;
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
        islands = makeIslands();
        contexts = new StageContext[plan.stages.length];
        values = new Object[plan.stages.length];
    }

    /** Makes the islands, without stages, in the order of the plan. */
    private Island[] makeIslands() {
        Island[] made = new Island[plan.islandCount()];
        for (int i = made.length - 1; i >= 0; i--) {
            made[i] = new Island(run, plan.executor(i, run.engine()), plan.isInLine(i));
            run.add(made[i]);
        }
        return made;
    }

    /** Puts the run together, not started yet, and hands back its materialized value. */
    static Object of(Plan plan, StreamRun run) {
        return plan.stages.length == 1 && plan.stages[0] instanceof SegmentStage segment
                ? ofOne(plan, segment, run)
                : ofMany(plan, run);
    }

    /** The same for one segment, as short streams are: there is nothing to be wired. */
    private static Object ofOne(Plan plan, SegmentStage segment, StreamRun run) {
        Island island = new Island(run, plan.executor(0, run.engine()), true);
        run.add(island);
        SegmentRun made;
        try {
            made = segment.newRun();
            StageContext context = StageContext.of(made);
            island.add(context, 0);
            context.wired();
        } catch (Throwable t) {
            throw run.place(plan.stageName(0), "could not be made", t);
        }
        return plan.program.runOfOne(made.value());
    }

    private static Object ofMany(Plan plan, StreamRun run) {
        Materialization materialization = new Materialization(plan, run);
        StageScope around = StageScope.current();
        if (around == null) {
            StageScope.enter(Outside.SCOPE);
        }
        try {
            materialization.makeStages();
            materialization.makeWires();
        } finally {
            if (around == null) {
                StageScope.enter(null);
            }
        }
        return plan.program.run(materialization.values);
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
        StageContext context = StageContext.of(logic);
        islands[plan.islandOfStage[i]].add(context, i);
        contexts[i] = context;
        values[i] = value;
    }

    private void makeWires() {
        EdgeTable edges = plan.edges;
        for (int e = 0; e < edges.count(); e++) {
            int from = edges.from(e);
            int to = edges.to(e);
            int outlet = edges.outlet(e);
            int inlet = edges.inlet(e);
            try {
                if (plan.islandOfStage[from] == plan.islandOfStage[to]) {
                    connect(plan.islandOfStage[from], contexts[from], outlet, contexts[to], inlet);
                } else {
                    connectAcross(from, outlet, to, inlet);
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
            StageContext entry = StageContext.of(new BoundaryEntry(boundary));
            islands[fromIsland].add(entry, plan.stages.length);
            connect(fromIsland, contexts[from], outlet, entry, 0);
            entry.wired();
        }
        if (plan.stages[to] instanceof SegmentStage) {
            segment(to).comeFrom(boundary);
        } else {
            StageContext exit = StageContext.of(new BoundaryExit(boundary));
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
