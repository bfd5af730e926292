package io.millrace.streams;

import java.util.function.BiFunction;

/** Which of two materialized values to keep when graphs are put together. */
public final class Keep {
    private Keep() {}

    /** The value of the graph that was there first. */
    @SuppressWarnings("unchecked")
    public static <A, B> BiFunction<A, B, A> left() {
        return (BiFunction<A, B, A>) (BiFunction<?, ?, ?>) Choice.LEFT;
    }

    /** The value of the graph that is added. */
    @SuppressWarnings("unchecked")
    public static <A, B> BiFunction<A, B, B> right() {
        return (BiFunction<A, B, B>) (BiFunction<?, ?, ?>) Choice.RIGHT;
    }

    /** Both values. */
    @SuppressWarnings("unchecked")
    public static <A, B> BiFunction<A, B, Pair<A, B>> both() {
        return (BiFunction<A, B, Pair<A, B>>) (BiFunction<?, ?, ?>) Choice.BOTH;
    }

    /** Neither value. */
    @SuppressWarnings("unchecked")
    public static <A, B> BiFunction<A, B, NotUsed> none() {
        return (BiFunction<A, B, NotUsed>) (BiFunction<?, ?, ?>) Choice.NONE;
    }

    /** Constants, so that the plan compiler can tell that they have no effects. */
    private enum Choice implements BiFunction<Object, Object, Object> {
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
}
