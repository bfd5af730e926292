package io.millrace.streams.operator.junctions;

import io.millrace.streams.graph.FanOutShape;
import io.millrace.streams.stage.GraphStage;

/** A junction with any number of outputs of the type of its input. */
abstract class FanOutStage<T> extends GraphStage<FanOutShape<T, T>> {
    final FanOutShape<T, T> shape;
    private final String name;

    FanOutStage(String name, int outputCount) {
        if (outputCount < 1) {
            throw new IllegalArgumentException(name + " must have at least 1 output, not " + outputCount);
        }
        this.name = name;
        shape = FanOutShape.of(name, outputCount);
    }

    @Override
    public final FanOutShape<T, T> shape() {
        return shape;
    }

    @Override
    public final String name() {
        return name;
    }
}
