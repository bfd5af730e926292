package io.millrace.streams.engine.plan;

import io.millrace.streams.engine.segment.StepStage;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The immutable description of a graph; each kind adds to what came before in O(1) and shares it. */
public sealed interface Blueprint {
    /**
     * What a graph consists of.
     *
     * @throws IllegalArgumentException when it is neither a stage nor put together by the library
     */
    static Blueprint of(Graph<?, ?> graph) {
        if (graph instanceof BlueprintGraph<?, ?> whole) {
            return whole.blueprint();
        }
        if (graph instanceof GraphStageWithMaterializedValue<?, ?> stage) {
            Blueprint part = new Stage(stage);
            return AssemblyTrace.isOn() ? new Attributed(part, Attributes.of(AssemblyTrace.here())) : part;
        }
        Objects.requireNonNull(graph, "null was given where a source, a flow or a sink is expected");
        throw new IllegalArgumentException(graph.getClass().getName()
                + " implements Graph by itself: extend GraphStage, or put the graph together from others");
    }

    /** One stage. */
    record Stage(GraphStageWithMaterializedValue<?, ?> stage) implements Blueprint {}

    /** The one open outlet of the first connected to the one open inlet of the second. */
    record Chain(Blueprint first, Blueprint second, BiFunction<Object, Object, Object> combine) implements Blueprint {}

    /**
     * A step behind the one open outlet of a part, which keeps its value: the chain that most of a graph consists of.
     *
     * @param hash of the classes of this and the steps before it, by which {@link PlanTable} finds the plan of a line
     */
    record Appended(Blueprint part, StepStage<?, ?> step, int hash) implements Blueprint {
        public Appended(Blueprint part, StepStage<?, ?> step) {
            this(part, step, 31 * hashOf(part) + step.kindHash());
        }

        private static int hashOf(Blueprint part) {
            return part instanceof Appended before ? before.hash : 1;
        }
    }

    /** A part with attributes: they hold for everything in it unless something further inside says otherwise. */
    record Attributed(Blueprint part, Attributes attributes) implements Blueprint {}

    /** A part whose materialized value is passed through a function. */
    record MappedValue(Blueprint part, Function<Object, Object> function) implements Blueprint {}

    /**
     * Any number of parts, wired at will.
     *
     * @param parts in the order in which they are made
     * @param wires which outlet of which part goes to which inlet of which part
     * @param inlets the open inlets, in the order of the shape
     * @param outlets the open outlets, in the order of the shape
     * @param valueParts the parts whose materialized values are combined, by number
     * @param combine makes the value of the whole from those of the parts listed
     */
    record Composite(
            List<Blueprint> parts,
            List<Wire> wires,
            List<Port> inlets,
            List<Port> outlets,
            List<Integer> valueParts,
            Function<Object[], Object> combine)
            implements Blueprint {}

    /** An open port of a part: the number of the part, and the port's place among the part's inlets or outlets. */
    record Port(int part, int place) {}

    /** A connection between two parts. */
    record Wire(Port outlet, Port inlet) {}
}
