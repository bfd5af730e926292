package io.millrace.streams.operator.junctions;

import io.millrace.streams.graph.FanInShape;
import io.millrace.streams.stage.GraphStage;

/** A junction with any number of inputs of one type. */
abstract class FanInStage<I, O> extends GraphStage<FanInShape<I, O>> {
    private final String name;
    private final FanInShape<I, O> shape;

    FanInStage(String name, int inputCount) {
        if (inputCount < 1) {
            throw new IllegalArgumentException(name + " must have at least 1 input, not " + inputCount);
        }
        this.name = name;
        shape = FanInShape.of(name, inputCount);
    }

    @Override
    public final FanInShape<I, O> shape() {
        return shape;
    }

    @Override
    public final String name() {
        return name;
    }
}
