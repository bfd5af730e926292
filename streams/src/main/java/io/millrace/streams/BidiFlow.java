package io.millrace.streams;

import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.engine.plan.BlueprintGraph;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.BidiShape;
import io.millrace.streams.graph.FlowShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.ThrowingFunction;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A graph with two lines in opposite directions, such as a codec: down from I1 to O1, up from I2 to O2. Immutable; every
 * method hands back a new one.
 */
@SuppressWarnings("exports") // what it inherits is not for users
public final class BidiFlow<I1, O1, I2, O2, M> extends BlueprintGraph<BidiShape<I1, O1, I2, O2>, M> {
    private final BidiShape<I1, O1, I2, O2> shape;

    private BidiFlow(Blueprint blueprint, BidiShape<I1, O1, I2, O2> shape) {
        super(blueprint);
        this.shape = shape;
    }

    /** Lets everything through, both ways. */
    public static <A, B> BidiFlow<A, A, B, B, NotUsed> identity() {
        return fromFlows(Flow.<A>create(), Flow.<B>create());
    }

    /** Replaces each element by what a function makes of it, one function for each way. */
    public static <I1, O1, I2, O2> BidiFlow<I1, O1, I2, O2, NotUsed> fromFunctions(
            ThrowingFunction<? super I1, ? extends O1> down, ThrowingFunction<? super I2, ? extends O2> up) {
        return fromFlows(Flow.<I1, O1>of(down), Flow.<I2, O2>of(up));
    }

    /** One flow for each way. */
    public static <I1, O1, I2, O2> BidiFlow<I1, O1, I2, O2, NotUsed> fromFlows(
            Graph<FlowShape<I1, O1>, ?> down, Graph<FlowShape<I2, O2>, ?> up) {
        return fromFlowsMat(down, up, Keep.none());
    }

    /** One flow for each way; the function makes the value from both. */
    public static <I1, O1, I2, O2, M1, M2, M> BidiFlow<I1, O1, I2, O2, M> fromFlowsMat(
            Graph<FlowShape<I1, O1>, M1> down,
            Graph<FlowShape<I2, O2>, M2> up,
            BiFunction<? super M1, ? super M2, ? extends M> combine) {
        return fromGraph(GraphBuilder.create(
                down,
                up,
                combine,
                (builder, top, bottom) -> BidiShape.of(top.in(), top.out(), bottom.in(), bottom.out())));
    }

    /** Any graph of this shape as a bidi flow. */
    public static <I1, O1, I2, O2, M> BidiFlow<I1, O1, I2, O2, M> fromGraph(Graph<BidiShape<I1, O1, I2, O2>, M> graph) {
        return graph instanceof BidiFlow<I1, O1, I2, O2, M> bidi
                ? bidi
                : new BidiFlow<>(Blueprint.of(graph), graph.shape());
    }

    @Override
    public BidiShape<I1, O1, I2, O2> shape() {
        return shape;
    }

    /** This on top of another: down through this and then the other, up through the other and then this; keeps this value. */
    public <P1, P2> BidiFlow<I1, P1, P2, O2, M> atop(Graph<BidiShape<O1, P1, P2, I2>, ?> other) {
        return atopMat(other, Keep.left());
    }

    /** This on top of another; the function makes the value from both. */
    public <P1, P2, M2, M3> BidiFlow<I1, P1, P2, O2, M3> atopMat(
            Graph<BidiShape<O1, P1, P2, I2>, M2> other, BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return fromGraph(GraphBuilder.create(this, other, combine, (builder, upper, lower) -> {
            builder.connect(upper.out1(), lower.in1()).connect(lower.out2(), upper.in2());
            return BidiShape.of(upper.in1(), lower.out1(), lower.in2(), upper.out2());
        }));
    }

    /** Closes the bottom with a flow: down through this, through the flow, and up again; keeps this value. */
    public Flow<I1, O2, M> join(Graph<FlowShape<O1, I2>, ?> flow) {
        return joinMat(flow, Keep.left());
    }

    /** Closes the bottom with a flow; the function makes the value from both. */
    public <M2, M3> Flow<I1, O2, M3> joinMat(
            Graph<FlowShape<O1, I2>, M2> flow, BiFunction<? super M, ? super M2, ? extends M3> combine) {
        return Flow.fromGraph(GraphBuilder.create(this, flow, combine, (builder, bidi, turn) -> {
            builder.connect(bidi.out1(), turn.in()).connect(turn.out(), bidi.in2());
            return FlowShape.of(bidi.in1(), bidi.out2());
        }));
    }

    /** The same upside down. */
    public BidiFlow<I2, O2, I1, O1, M> reversed() {
        return fromGraph(GraphBuilder.create(
                this, (builder, bidi) -> BidiShape.of(bidi.in2(), bidi.out2(), bidi.in1(), bidi.out1())));
    }

    /** The same bidi flow with another materialized value. */
    public <M2> BidiFlow<I1, O1, I2, O2, M2> mapMaterializedValue(Function<? super M, ? extends M2> function) {
        return new BidiFlow<>(Blueprints.mapValue(blueprint(), function), shape);
    }

    /** The whole bidi flow runs as an island of its own. */
    public BidiFlow<I1, O1, I2, O2, M> async() {
        return withAttributes(Attributes.asyncBoundary());
    }

    /** The same bidi flow under a name, which stands in the path of its operators. */
    public BidiFlow<I1, O1, I2, O2, M> named(String name) {
        return withAttributes(Attributes.name(name));
    }

    /** The same bidi flow with these attributes added to it. */
    public BidiFlow<I1, O1, I2, O2, M> withAttributes(Attributes attributes) {
        return new BidiFlow<>(Blueprints.withAttributes(blueprint(), attributes), shape);
    }
}
