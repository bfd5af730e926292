package io.millrace.streams.engine.plan;

import io.millrace.streams.engine.segment.OriginStage;
import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.engine.segment.SynchronousStage;
import io.millrace.streams.engine.segment.TerminalStage;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Turns a blueprint into a plan in one walk, O(n), with a stack of its own, so that a graph may be as deep as memory
 * allows. Parts are visited in the order in which they were put together; each visited part leaves its open ports on
 * a second stack, where the part around it finds them by their place, so that no wire is ever looked up.
 *
 * <pre>
 *   open ports of a part:  | line place | ... inlets | line place | ... outlets | inlet count | outlet count |
 * </pre>
 */
public final class PlanCompiler {
    private static final byte VISIT = 0;
    private static final byte FINISH = 1;
    private static final byte LEAVE = 2;
    private static final byte WANTED = 4;
    private static final byte APPEND = 8;

    private Object[] tasks = new Object[32];
    private byte[] taskKinds = new byte[32];
    private int taskCount;
    private int[] ports = new int[32];
    private int portsEnd;
    private Attributes inherited = Attributes.NONE;
    private int island;
    private final FlatGraph graph = new FlatGraph();
    private final List<Attributes> islands = new ArrayList<>();
    private final ValueProgram.Builder values = new ValueProgram.Builder();
    private final String streamName;

    private PlanCompiler(Blueprint root) {
        String name = root instanceof Blueprint.Attributed attributed
                ? attributed.attributes().path()
                : "";
        streamName = name.isEmpty() ? Plan.UNNAMED : name;
        islands.add(Attributes.NONE);
        push(root, (byte) (VISIT | WANTED));
    }

    /** Compiles a blueprint without open ports. */
    public static Plan compile(Blueprint root) {
        return root instanceof Blueprint.Chain line && line.first() instanceof Blueprint.Appended
                ? PlanTable.OF_PROCESS.planOf(line)
                : compileNew(root);
    }

    static Plan compileNew(Blueprint root) {
        Plan line = StraightLine.compile(root);
        return line == null ? compileAny(root) : line;
    }

    private static Plan compileAny(Blueprint root) {
        PlanCompiler compiler = new PlanCompiler(root);
        compiler.walk();
        compiler.joinPlainOrigins();
        Fusion fusion = Fusion.of(compiler.graph);
        return new Plan(
                compiler.streamName,
                fusion,
                compiler.islands.toArray(new Attributes[0]),
                compiler.values.build(fusion));
    }

    /** What holds around a part. */
    private record Surroundings(Attributes inherited, int island) {}

    private void push(Object task, byte kind) {
        if (taskCount == tasks.length) {
            tasks = Arrays.copyOf(tasks, taskCount * 2);
            taskKinds = Arrays.copyOf(taskKinds, taskCount * 2);
        }
        tasks[taskCount] = task;
        taskKinds[taskCount] = kind;
        taskCount++;
    }

    private void push(Blueprint part, boolean wanted) {
        push(part, wanted ? (byte) (VISIT | WANTED) : VISIT);
    }

    private void walk() {
        while (taskCount > 0) {
            taskCount--;
            Object task = tasks[taskCount];
            byte kind = taskKinds[taskCount];
            boolean wanted = (kind & WANTED) != 0;
            if ((kind & APPEND) != 0) {
                append((StepStage<?, ?>) task);
            } else if ((kind & FINISH) != 0) {
                finish((Blueprint) task, wanted);
            } else if ((kind & LEAVE) != 0) {
                Surroundings surroundings = (Surroundings) task;
                inherited = surroundings.inherited();
                island = surroundings.island();
            } else {
                visit((Blueprint) task, wanted);
            }
        }
        if (ports[portsEnd - 1] + ports[portsEnd - 2] > 0) {
            throw new IllegalStateException("a graph with open ports cannot run");
        }
    }

    /**
     * Has a plain origin that stands alone before an asynchronous boundary run in the island behind it: what would cross
     * the boundary is no more work than crossing it.
     */
    private void joinPlainOrigins() {
        if (islands.size() == 1) {
            return;
        }
        int[] lines = new int[islands.size()];
        for (int line = 0; line < graph.lineCount(); line++) {
            lines[graph.island(line)]++;
        }
        EdgeTable edges = graph.edges();
        for (int e = 0; e < edges.count(); e++) {
            int origin = edges.from(e);
            int own = graph.island(origin);
            int behind = graph.island(edges.to(e));
            if (own != behind && lines[own] == 1 && graph.isPlainOrigin(origin) && isAnywhere(islands.get(own))) {
                graph.setIsland(origin, behind);
                lines[own] = 0;
                lines[behind]++;
            }
        }
        dropEmptyIslands(lines);
    }

    /** Whether nothing says where that island runs. */
    private static boolean isAnywhere(Attributes own) {
        return own.find(Attributes.Dispatcher.class).isEmpty()
                && own.find(Attributes.SubscribeOn.class).isEmpty()
                && own.find(Attributes.ObserveOn.class).isEmpty();
    }

    private void dropEmptyIslands(int[] lines) {
        int[] renumbered = new int[lines.length];
        int kept = 0;
        for (int i = 0; i < lines.length; i++) {
            renumbered[i] = kept;
            if (lines[i] > 0) {
                islands.set(kept, islands.get(i));
                kept++;
            }
        }
        islands.subList(kept, islands.size()).clear();
        for (int line = 0; line < graph.lineCount(); line++) {
            graph.setIsland(line, renumbered[graph.island(line)]);
        }
    }

    private void visit(Blueprint blueprint, boolean wanted) {
        if (blueprint instanceof Blueprint.Appended appended) {
            visitAppended(appended, wanted);
        } else if (blueprint instanceof Blueprint.Chain chain) {
            BiFunction<?, ?, ?> combine = chain.combine();
            boolean plain = isPlain(combine);
            push(chain, wanted ? FINISH | WANTED : FINISH);
            push(chain.second(), !plain || (wanted && (combine == Combine.RIGHT || combine == Combine.BOTH)));
            push(chain.first(), !plain || (wanted && (combine == Combine.LEFT || combine == Combine.BOTH)));
        } else if (blueprint instanceof Blueprint.Stage stage) {
            addStage(stage.stage(), wanted);
        } else if (blueprint instanceof Blueprint.Attributed attributed) {
            enter(attributed.attributes());
            push(attributed.part(), wanted);
        } else if (blueprint instanceof Blueprint.MappedValue mapped) {
            push(mapped, wanted ? FINISH | WANTED : FINISH);
            push(mapped.part(), true);
        } else if (blueprint instanceof Blueprint.Composite composite) {
            visitComposite(composite, wanted);
        }
    }

    private void visitAppended(Blueprint.Appended last, boolean wanted) {
        Blueprint part = last;
        while (part instanceof Blueprint.Appended appended) {
            push(appended.step(), APPEND);
            part = appended.part();
        }
        push(part, wanted);
    }

    /** Puts a step behind the one open outlet of the part before it, which is that part's last port. */
    private void append(StepStage<?, ?> step) {
        int outlet = portsEnd - 4;
        ports[outlet] = graph.append(ports[outlet], ports[outlet + 1], step, inherited, island);
        ports[outlet + 1] = 0;
    }

    /** What is attached to a part holds until it is left. */
    private void enter(Attributes own) {
        push(new Surroundings(inherited, island), LEAVE);
        boolean forItsIslandOnly = own.find(Attributes.ObserveOn.class).isPresent();
        if (forItsIslandOnly || own.find(Attributes.SubscribeOn.class).isPresent()) {
            islands.set(island, islands.get(island).and(own));
        }
        if (!forItsIslandOnly) {
            inherited = inherited.and(own);
        }
        if (startsIsland(own)) {
            island = islands.size();
            islands.add(inherited);
        }
    }

    private void visitComposite(Blueprint.Composite composite, boolean wanted) {
        push(composite, wanted ? FINISH | WANTED : FINISH);
        boolean[] partWanted = new boolean[composite.parts().size()];
        for (int part : composite.valueParts()) {
            partWanted[part] = wanted;
        }
        for (int i = partWanted.length - 1; i >= 0; i--) {
            push(composite.parts().get(i), partWanted[i]);
        }
    }

    private void finish(Blueprint blueprint, boolean wanted) {
        if (blueprint instanceof Blueprint.Chain chain) {
            connectChain();
            combine(chain.combine(), wanted);
        } else if (blueprint instanceof Blueprint.MappedValue mapped) {
            values.map(mapped.function());
            if (!wanted) {
                values.drop();
            }
        } else if (blueprint instanceof Blueprint.Composite composite) {
            connectComposite(composite);
            if (wanted) {
                values.combineAll(composite.valueParts().size(), composite.combine());
            }
        }
    }

    private void combine(BiFunction<Object, Object, Object> combine, boolean wanted) {
        if (!isPlain(combine)) {
            values.combine(combine);
            if (!wanted) {
                values.drop();
            }
        } else if (wanted && combine == Combine.BOTH) {
            values.combine(combine);
        } else if (wanted && combine == Combine.NONE) {
            values.pushNotUsed();
        }
    }

    /** The one outlet of the first to the one inlet of the second; what is open is the rest of both. */
    private void connectChain() {
        int secondStart = frameStart(portsEnd);
        int firstStart = frameStart(secondStart);
        int firstInlets = ports[secondStart - 2];
        int secondInlets = ports[portsEnd - 2];
        int secondOutlets = ports[portsEnd - 1];
        int outlet = firstStart + 2 * firstInlets;
        connect(outlet, secondStart);
        System.arraycopy(ports, secondStart + 2 * secondInlets, ports, outlet, 2 * secondOutlets);
        portsEnd = outlet + 2 * secondOutlets;
        ports[portsEnd++] = firstInlets;
        ports[portsEnd++] = secondOutlets;
    }

    private void connectComposite(Blueprint.Composite composite) {
        int[] starts = new int[composite.parts().size() + 1];
        starts[starts.length - 1] = portsEnd;
        for (int i = starts.length - 2; i >= 0; i--) {
            starts[i] = frameStart(starts[i + 1]);
        }
        for (Blueprint.Wire wire : composite.wires()) {
            connect(outletAt(wire.outlet(), starts), inletAt(wire.inlet(), starts));
        }
        int[] frame =
                new int[2 * (composite.inlets().size() + composite.outlets().size()) + 2];
        int length = 0;
        for (Blueprint.Port inlet : composite.inlets()) {
            System.arraycopy(ports, inletAt(inlet, starts), frame, length, 2);
            length += 2;
        }
        for (Blueprint.Port outlet : composite.outlets()) {
            System.arraycopy(ports, outletAt(outlet, starts), frame, length, 2);
            length += 2;
        }
        frame[length] = composite.inlets().size();
        frame[length + 1] = composite.outlets().size();
        portsEnd = starts[0];
        reservePorts(frame.length);
        System.arraycopy(frame, 0, ports, portsEnd, frame.length);
        portsEnd += frame.length;
    }

    private static int inletAt(Blueprint.Port port, int[] starts) {
        return starts[port.part()] + 2 * port.place();
    }

    private int outletAt(Blueprint.Port port, int[] starts) {
        int inlets = ports[starts[port.part() + 1] - 2];
        return starts[port.part()] + 2 * (inlets + port.place());
    }

    private int frameStart(int frameEnd) {
        return frameEnd - 2 - 2 * (ports[frameEnd - 1] + ports[frameEnd - 2]);
    }

    private void addStage(GraphStageWithMaterializedValue<?, ?> stage, boolean wanted) {
        int line = graph.add(stage, inherited, island);
        if (stage instanceof SynchronousStage) {
            addOpenPorts(line, stage instanceof OriginStage ? 0 : 1, stage instanceof TerminalStage ? 0 : 1);
        } else {
            addOpenPorts(
                    line, stage.shape().inlets().size(), stage.shape().outlets().size());
        }
        if (wanted) {
            values.pushStage(line);
        }
    }

    private void addOpenPorts(int line, int inlets, int outlets) {
        reservePorts(2 * (inlets + outlets) + 2);
        for (int i = 0; i < inlets; i++) {
            ports[portsEnd++] = line;
            ports[portsEnd++] = i;
        }
        for (int i = 0; i < outlets; i++) {
            ports[portsEnd++] = line;
            ports[portsEnd++] = i;
        }
        ports[portsEnd++] = inlets;
        ports[portsEnd++] = outlets;
    }

    private void reservePorts(int more) {
        if (portsEnd + more > ports.length) {
            ports = Arrays.copyOf(ports, Math.max(ports.length * 2, portsEnd + more));
        }
    }

    private void connect(int outletAt, int inletAt) {
        graph.connect(ports[outletAt], ports[outletAt + 1], ports[inletAt], ports[inletAt + 1]);
    }

    private static boolean startsIsland(Attributes own) {
        return own.find(Attributes.AsyncBoundary.class).isPresent()
                || own.find(Attributes.Dispatcher.class).isPresent();
    }

    /** Whether the function has no effects, so that values that nobody wants need not be made. */
    private static boolean isPlain(BiFunction<?, ?, ?> combine) {
        return combine instanceof Combine;
    }
}
