package io.millrace.streams.engine.plan;

import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Pair;
import java.util.function.BiFunction;

/** Which of two materialized values is kept: constants, so that the plan compiler can tell that they have no effects. */
public enum Combine implements BiFunction<Object, Object, Object> {
    LEFT,
    RIGHT,
    BOTH,
    NONE;

    @Override
    public Object apply(Object left, Object right) {
        return switch (this) {
            case LEFT -> left;
            case RIGHT -> right;
            case BOTH -> new Pair<>(left, right);
            case NONE -> NotUsed.NOT_USED;
        };
    }
}
