package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Port;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.operator.junctions.MaterializedValueSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Puts graphs together that are not a line: add the parts, connect their ports, hand back the shape of what stays
 * open. To be used by one thread, inside the function given to {@code create}.
 *
 * @param <M> the materialized value of the whole
 */
public final class GraphBuilder<M> {
    private final List<Blueprint> parts = new ArrayList<>();
    private final List<Shape> shapes = new ArrayList<>();
    private final List<Blueprint.Wire> wires = new ArrayList<>();
    private final List<Integer> valueSources = new ArrayList<>();
    /** What ports are known by, so that those of a graph that is done hold nothing of its builder. */
    private final Object identity = new Object();

    private int loosePorts;
    private boolean finished;

    private GraphBuilder() {}

    /** A graph without a materialized value. */
    public static <S extends Shape> Graph<S, NotUsed> create(Function<? super GraphBuilder<NotUsed>, S> block) {
        GraphBuilder<NotUsed> builder = new GraphBuilder<>();
        S shape = block.apply(builder);
        return builder.build(shape, 0, values -> NotUsed.NOT_USED);
    }

    /** A graph with the materialized value of this part, which is added first. */
    @SuppressWarnings("unchecked")
    public static <S1 extends Shape, M, S extends Shape> Graph<S, M> create(
            Graph<S1, M> part, BiFunction<? super GraphBuilder<M>, ? super S1, S> block) {
        GraphBuilder<M> builder = new GraphBuilder<>();
        S shape = block.apply(builder, builder.add(part));
        return builder.build(shape, 1, values -> (M) values[0]);
    }

    /** A graph whose materialized value combines those of these two parts, which are added first. */
    @SuppressWarnings("unchecked")
    public static <S1 extends Shape, M1, S2 extends Shape, M2, M, S extends Shape> Graph<S, M> create(
            Graph<S1, M1> part1,
            Graph<S2, M2> part2,
            BiFunction<? super M1, ? super M2, ? extends M> combine,
            TwoParts<M, S1, S2, S> block) {
        GraphBuilder<M> builder = new GraphBuilder<>();
        S shape = block.build(builder, builder.add(part1), builder.add(part2));
        return builder.build(shape, 2, values -> combine.apply((M1) values[0], (M2) values[1]));
    }

    /** Builds a graph around two parts. */
    @FunctionalInterface
    public interface TwoParts<M, S1 extends Shape, S2 extends Shape, S extends Shape> {
        S build(GraphBuilder<M> builder, S1 shape1, S2 shape2);
    }

    /** Adds a part; hands back its shape with ports that stand for this part here. A graph may be added many times. */
    @SuppressWarnings("unchecked")
    public <S extends Shape> S add(Graph<S, ?> graph) {
        requireUnfinished();
        S shape = (S) graph.shape().copy();
        int part = parts.size();
        parts.add(Blueprint.of(graph));
        shapes.add(shape);
        for (Inlet<?> in : shape.inlets()) {
            take(in, part);
        }
        for (Outlet<?> out : shape.outlets()) {
            take(out, part);
        }
        return shape;
    }

    private void take(Port port, int part) {
        if (port.index() < 0) {
            throw new IllegalArgumentException(
                    described(port) + " has no place in its shape: the shape must call claimPorts()");
        }
        if (port.attachment() instanceof Place place && place.builder == identity) {
            throw new IllegalArgumentException(
                    described(port) + " was added before: the shape's copy() must make new ports");
        }
        port.attach(new Place(identity, part));
        loosePorts++;
    }

    /** Adds a source of one element, the materialized value of the whole, and hands back where it comes out. */
    public Outlet<M> materializedValue() {
        SourceShape<M> added = add(new MaterializedValueSource<M>());
        valueSources.add(parts.size() - 1);
        return added.out();
    }

    /** Connects an outlet to an inlet. */
    public <T> GraphBuilder<M> connect(Outlet<? extends T> out, Inlet<? super T> in) {
        requireUnfinished();
        Place from = place(out);
        Place to = place(in);
        wires.add(new Blueprint.Wire(wire(out, from), wire(in, to)));
        return this;
    }

    /** Connects an outlet through a flow, which is added, and hands back where the flow comes out. */
    public <T, R> Outlet<R> connect(Outlet<? extends T> out, Graph<FlowShape<T, R>, ?> flow) {
        FlowShape<T, R> added = add(flow);
        connect(out, added.in());
        return added.out();
    }

    private <S extends Shape> Graph<S, M> build(S shape, int valueCount, Function<Object[], ? extends M> combine) {
        List<Blueprint.Port> inlets = new ArrayList<>();
        List<Blueprint.Port> outlets = new ArrayList<>();
        for (Inlet<?> in :
                Objects.requireNonNull(shape, "the shape of what stays open").inlets()) {
            inlets.add(wire(in, place(in)));
        }
        for (Outlet<?> out : shape.outlets()) {
            outlets.add(wire(out, place(out)));
        }
        requireAllWired();
        finished = true;
        List<Integer> valueParts = new ArrayList<>();
        IntStream.range(0, valueCount).forEach(valueParts::add);
        valueParts.addAll(valueSources);
        Blueprint composite = new Blueprint.Composite(
                List.copyOf(parts), List.copyOf(wires), inlets, outlets, List.copyOf(valueParts), values -> {
                    M value = combine.apply(values);
                    giveToSources(value, values, valueCount);
                    return value;
                });
        boolean hasEffects = valueCount > 1 || !valueSources.isEmpty();
        return new CompositeGraph<>(shape, hasEffects ? Blueprints.mapValue(composite, value -> value) : composite);
    }

    @SuppressWarnings("unchecked")
    private void giveToSources(M value, Object[] values, int from) {
        for (int i = from; i < values.length; i++) {
            ((Consumer<M>) values[i]).accept(value);
        }
    }

    private void requireUnfinished() {
        if (finished) {
            throw new IllegalStateException("this graph has been built: add and connect inside create()");
        }
    }

    private void requireAllWired() {
        if (loosePorts == 0) {
            return;
        }
        List<String> loose = new ArrayList<>();
        for (Shape shape : shapes) {
            Stream.concat(shape.inlets().stream(), shape.outlets().stream())
                    .filter(port -> !place(port).isWired)
                    .forEach(port -> loose.add(described(port)));
        }
        throw new IllegalStateException("these ports are neither connected nor part of the shape: " + loose);
    }

    private Place place(Port port) {
        if (port.attachment() instanceof Place place && place.builder == identity) {
            return place;
        }
        throw new IllegalArgumentException(
                described(port) + " is not of a graph added here; use the ports of the shape that add() returned");
    }

    private Blueprint.Port wire(Port port, Place place) {
        if (place.isWired) {
            throw new IllegalStateException(described(port) + " is connected twice");
        }
        place.isWired = true;
        loosePorts--;
        return new Blueprint.Port(place.part, port.index());
    }

    private static String described(Port port) {
        return (port instanceof Inlet ? "inlet " : "outlet ") + port.name();
    }

    /** Of which builder and which part it is, and whether something has been connected to it. */
    private static final class Place {
        private final Object builder;
        private final int part;
        private boolean isWired;

        Place(Object builder, int part) {
            this.builder = builder;
            this.part = part;
        }
    }
}
