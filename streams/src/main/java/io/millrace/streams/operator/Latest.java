package io.millrace.streams.operator;

import org.jspecify.annotations.Nullable;

/** Keeps the last element. */
public record Latest<I>() implements Accumulation<I> {
    @Override
    public Object begin() {
        return new Accumulated(null);
    }

    @Override
    public void add(I element, @Nullable Object[] states, int at) {
        Accumulated.of(states, at).keep(element);
    }

    @Override
    public Accumulation<I> unboxed(boolean takesNewObjects) {
        return takesNewObjects ? new Unboxed<>() : this;
    }

    private record Unboxed<I>() implements Accumulation<I> {
        @Override
        public Object begin() {
            return new Accumulated(null);
        }

        @Override
        public void add(I element, @Nullable Object[] states, int at) {
            if (element instanceof Integer boxed) {
                keepInt(boxed, Accumulated.of(states, at));
            } else if (element instanceof Long boxed) {
                keepLong(boxed, Accumulated.of(states, at));
            } else if (element instanceof Double boxed) {
                keepDouble(boxed, Accumulated.of(states, at));
            } else {
                Accumulated.of(states, at).keep(element);
            }
        }

        @Override
        public Accumulation<I> unboxed(boolean takesNewObjects) {
            return this;
        }

        private static void keepInt(int number, Accumulated in) {
            in.keepInt(number);
        }

        private static void keepLong(long number, Accumulated in) {
            in.keepLong(number);
        }

        private static void keepDouble(double number, Accumulated in) {
            in.keepDouble(number);
        }
    }
}
