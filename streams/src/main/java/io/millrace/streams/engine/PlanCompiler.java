package io.millrace.streams.engine;

import io.millrace.streams.Attributes;
import io.millrace.streams.Keep;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Turns a blueprint into a plan in one walk, O(n), with a stack of its own, so that a graph may be as deep as memory
 * allows. Parts are visited in the order in which they were put together; each visited part leaves its open ports on
 * a second stack, where the part around it finds them by their place, so that no wire is ever looked up.
 */
public final class PlanCompiler {
    private static final int[] NO_PORTS = {};
    private static final List<BiFunction<?, ?, ?>> KEEPS = List.of(Keep.left(), Keep.right(), Keep.both(), Keep.none());

    private final Deque<Task> tasks = new ArrayDeque<>();
    private final Deque<OpenPorts> open = new ArrayDeque<>();
    private final List<GraphStageWithMaterializedValue<?, ?>> stages = new ArrayList<>();
    private final List<Attributes> attributes = new ArrayList<>();
    private final List<Attributes> islands = new ArrayList<>();
    private final ValueProgram.Builder values = new ValueProgram.Builder();
    private int[] islandOfStage = new int[16];
    private int[] edges = new int[64];
    private int edgeLength;
    private final String streamName;

    private PlanCompiler(Blueprint root) {
        String name = root instanceof Blueprint.Attributed attributed
                ? attributed.attributes().path()
                : "";
        streamName = name.isEmpty() ? "stream" : name;
        islands.add(Attributes.NONE);
        tasks.push(new Visit(root, Attributes.NONE, 0, true));
    }

    /** Compiles a blueprint without open ports. */
    public static Plan compile(Blueprint root) {
        PlanCompiler compiler = new PlanCompiler(root);
        compiler.walk();
        return new Plan(compiler);
    }

    /** What is left to do: visit a part, or finish one whose parts have been visited. */
    private sealed interface Task {}

    private record Visit(Blueprint blueprint, Attributes inherited, int island, boolean wanted) implements Task {}

    private record Finish(Blueprint blueprint, boolean wanted) implements Task {}

    /** The open ports of a visited part: pairs of a stage and the port's place there. */
    private static final class OpenPorts {
        private final int[] inlets;
        private final int[] outlets;

        OpenPorts(int[] inlets, int[] outlets) {
            this.inlets = inlets;
            this.outlets = outlets;
        }

        int[] inlets() {
            return inlets;
        }

        int[] outlets() {
            return outlets;
        }
    }

    private void walk() {
        Task task;
        while ((task = tasks.poll()) != null) {
            if (task instanceof Visit visit) {
                visit(visit);
            } else if (task instanceof Finish finish) {
                finish(finish);
            }
        }
        OpenPorts rest = open.pop();
        if (rest.inlets().length + rest.outlets().length > 0) {
            throw new IllegalStateException("a graph with open ports cannot run");
        }
    }

    private void visit(Visit visit) {
        Blueprint blueprint = visit.blueprint();
        if (blueprint instanceof Blueprint.Stage stage) {
            addStage(stage.stage(), visit);
        } else if (blueprint instanceof Blueprint.Chain chain) {
            tasks.push(new Finish(chain, visit.wanted()));
            tasks.push(
                    new Visit(chain.second(), visit.inherited(), visit.island(), wantsSecond(chain, visit.wanted())));
            tasks.push(new Visit(chain.first(), visit.inherited(), visit.island(), wantsFirst(chain, visit.wanted())));
        } else if (blueprint instanceof Blueprint.Attributed attributed) {
            Attributes own = attributed.attributes();
            placeIsland(visit.island(), own);
            boolean forItsIslandOnly = own.find(Attributes.ObserveOn.class).isPresent();
            Attributes all =
                    forItsIslandOnly ? visit.inherited() : visit.inherited().and(own);
            int island = startsIsland(own) ? addIsland(all) : visit.island();
            tasks.push(new Visit(attributed.part(), all, island, visit.wanted()));
        } else if (blueprint instanceof Blueprint.MappedValue mapped) {
            tasks.push(new Finish(mapped, visit.wanted()));
            tasks.push(new Visit(mapped.part(), visit.inherited(), visit.island(), true));
        } else if (blueprint instanceof Blueprint.Composite composite) {
            visitComposite(composite, visit);
        }
    }

    private void visitComposite(Blueprint.Composite composite, Visit visit) {
        tasks.push(new Finish(composite, visit.wanted()));
        boolean[] wanted = new boolean[composite.parts().size()];
        for (int part : composite.valueParts()) {
            wanted[part] = visit.wanted();
        }
        for (int i = wanted.length - 1; i >= 0; i--) {
            tasks.push(new Visit(composite.parts().get(i), visit.inherited(), visit.island(), wanted[i]));
        }
    }

    private void finish(Finish finish) {
        Blueprint blueprint = finish.blueprint();
        if (blueprint instanceof Blueprint.Chain chain) {
            finishChain(chain, finish.wanted());
        } else if (blueprint instanceof Blueprint.MappedValue mapped) {
            values.map(mapped.function());
            if (!finish.wanted()) {
                values.drop();
            }
        } else if (blueprint instanceof Blueprint.Composite composite) {
            finishComposite(composite);
            if (finish.wanted()) {
                values.combineAll(composite.valueParts().size(), composite.combine());
            }
        }
    }

    private void finishChain(Blueprint.Chain chain, boolean wanted) {
        OpenPorts second = open.pop();
        OpenPorts first = open.pop();
        addEdge(first.outlets(), 0, second.inlets(), 0);
        open.push(new OpenPorts(first.inlets(), second.outlets()));
        if (isPlain(chain.combine())) {
            if (wanted && isKept(chain, Keep.both())) {
                values.combine(chain.combine());
            } else if (wanted && isKept(chain, Keep.none())) {
                values.pushNotUsed();
            }
        } else {
            values.combine(chain.combine());
            if (!wanted) {
                values.drop();
            }
        }
    }

    private void finishComposite(Blueprint.Composite composite) {
        OpenPorts[] parts = new OpenPorts[composite.parts().size()];
        for (int i = parts.length - 1; i >= 0; i--) {
            parts[i] = open.pop();
        }
        for (Blueprint.Wire wire : composite.wires()) {
            Blueprint.Port outlet = wire.outlet();
            Blueprint.Port inlet = wire.inlet();
            addEdge(parts[outlet.part()].outlets(), outlet.place(), parts[inlet.part()].inlets(), inlet.place());
        }
        int[] inlets = new int[2 * composite.inlets().size()];
        for (int i = 0; i < composite.inlets().size(); i++) {
            Blueprint.Port port = composite.inlets().get(i);
            System.arraycopy(parts[port.part()].inlets(), 2 * port.place(), inlets, 2 * i, 2);
        }
        int[] outlets = new int[2 * composite.outlets().size()];
        for (int i = 0; i < composite.outlets().size(); i++) {
            Blueprint.Port port = composite.outlets().get(i);
            System.arraycopy(parts[port.part()].outlets(), 2 * port.place(), outlets, 2 * i, 2);
        }
        open.push(new OpenPorts(inlets, outlets));
    }

    private void addStage(GraphStageWithMaterializedValue<?, ?> stage, Visit visit) {
        int index = stages.size();
        stages.add(stage);
        attributes.add(visit.inherited());
        if (index == islandOfStage.length) {
            islandOfStage = Arrays.copyOf(islandOfStage, index * 2);
        }
        islandOfStage[index] = visit.island();
        open.push(new OpenPorts(
                places(index, stage.shape().inlets().size()),
                places(index, stage.shape().outlets().size())));
        if (visit.wanted()) {
            values.pushStage(index);
        }
    }

    private static int[] places(int stage, int count) {
        if (count == 0) {
            return NO_PORTS;
        }
        int[] places = new int[2 * count];
        for (int i = 0; i < count; i++) {
            places[2 * i] = stage;
            places[2 * i + 1] = i;
        }
        return places;
    }

    private void addEdge(int[] outlets, int outlet, int[] inlets, int inlet) {
        if (edgeLength == edges.length) {
            edges = Arrays.copyOf(edges, edgeLength * 2);
        }
        System.arraycopy(outlets, 2 * outlet, edges, edgeLength, 2);
        System.arraycopy(inlets, 2 * inlet, edges, edgeLength + 2, 2);
        edgeLength += 4;
    }

    private int addIsland(Attributes all) {
        islands.add(all);
        return islands.size() - 1;
    }

    /** A part may say where the island runs in which it lies; the innermost part counts. */
    private void placeIsland(int island, Attributes own) {
        if (own.find(Attributes.SubscribeOn.class).isPresent()
                || own.find(Attributes.ObserveOn.class).isPresent()) {
            islands.set(island, islands.get(island).and(own));
        }
    }

    private static boolean startsIsland(Attributes own) {
        return own.find(Attributes.AsyncBoundary.class).isPresent()
                || own.find(Attributes.Dispatcher.class).isPresent();
    }

    private static boolean wantsFirst(Blueprint.Chain chain, boolean wanted) {
        return !isPlain(chain.combine()) || (wanted && (isKept(chain, Keep.left()) || isKept(chain, Keep.both())));
    }

    private static boolean wantsSecond(Blueprint.Chain chain, boolean wanted) {
        return !isPlain(chain.combine()) || (wanted && (isKept(chain, Keep.right()) || isKept(chain, Keep.both())));
    }

    private static boolean isKept(Blueprint.Chain chain, BiFunction<?, ?, ?> keep) {
        return chain.combine() == keep;
    }

    /** Whether the function has no effects, so that values that nobody wants need not be made. */
    private static boolean isPlain(BiFunction<?, ?, ?> combine) {
        return KEEPS.contains(combine);
    }

    // ------------------------------------------------------------------------------------------ for the plan

    String streamName() {
        return streamName;
    }

    GraphStageWithMaterializedValue<?, ?>[] stages() {
        return stages.toArray(new GraphStageWithMaterializedValue<?, ?>[0]);
    }

    Attributes[] attributes() {
        return attributes.toArray(new Attributes[0]);
    }

    int[] islandOfStage() {
        return Arrays.copyOf(islandOfStage, stages.size());
    }

    int[] edges() {
        return Arrays.copyOf(edges, edgeLength);
    }

    Attributes[] islandAttributes() {
        return islands.toArray(new Attributes[0]);
    }

    ValueProgram program() {
        return values.build();
    }
}
