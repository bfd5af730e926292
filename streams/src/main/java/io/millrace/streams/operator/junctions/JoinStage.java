package io.millrace.streams.operator.junctions;

import io.millrace.streams.graph.FanInShape2;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.stage.GraphStage;

/** A junction with two inputs of different types. */
abstract class JoinStage<A, B, O> extends GraphStage<FanInShape2<A, B, O>> {
    private final String name;
    private final FanInShape2<A, B, O> shape;

    JoinStage(String name) {
        this.name = name;
        shape = FanInShape2.of(Inlet.create(name + ".in0"), Inlet.create(name + ".in1"), Outlet.create(name + ".out"));
    }

    @Override
    public final FanInShape2<A, B, O> shape() {
        return shape;
    }

    @Override
    public final String name() {
        return name;
    }
}
