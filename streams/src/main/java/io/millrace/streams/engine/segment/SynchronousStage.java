package io.millrace.streams.engine.segment;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Shape;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import org.jspecify.annotations.Nullable;

/**
 * A synchronous operator: the engine makes it part of a {@link Segment}, so it has no logic of its own. Which part it can
 * be is its class, not an interface, as a class is the cheaper question where graphs are built for one run.
 */
public abstract sealed class SynchronousStage<S extends Shape, M> extends GraphStageWithMaterializedValue<S, M>
        permits OriginStage, ExpansionStage, StepStage, TerminalStage {
    private final String name;
    private @Nullable S shape;

    SynchronousStage(String name) {
        this.name = name;
    }

    /** Its ports, made when first asked for: most operators are never connected by hand. */
    abstract S newShape(String operatorName);

    @Override
    public final synchronized S shape() {
        S made = shape;
        if (made == null) {
            made = newShape(name);
            shape = made;
        }
        return made;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final LogicAndValue<M> createLogicAndValue(Attributes inherited) {
        throw new IllegalStateException(name + " runs as a part of a segment only");
    }
}
