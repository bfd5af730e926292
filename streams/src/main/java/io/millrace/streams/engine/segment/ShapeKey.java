package io.millrace.streams.engine.segment;

import java.util.Arrays;

/** What segments have in common that share the class of a body. */
sealed interface ShapeKey {
    /** That of these steps. */
    static ShapeKey of(Step<Object>[] steps) {
        for (Step<Object> step : steps) {
            if (!StepIdentity.isConstant(step)) {
                return Kinds.of(steps);
            }
        }
        return new Same(steps);
    }

    /** A hash of steps that have the same key, from what is at hand. */
    static int hash(Step<Object>[] steps) {
        int hash = steps.length;
        for (Step<Object> step : steps) {
            hash = 31 * hash + step.getClass().hashCode();
            hash = 31 * hash + step.function().getClass().hashCode();
        }
        return hash;
    }

    /** Whether it pays to look at some elements first, as a step has a form of its own for those that are made within the line. */
    default boolean wantsProfile() {
        return false;
    }

    /** Whether these steps have this key, too. */
    boolean isOf(Step<Object>[] others);

    /**
     * What is constant in the class.
     *
     * @param takesNewObjects for each step, whether what comes to it is made within the segment
     */
    Object[] constants(boolean[] takesNewObjects);

    /** Steps that are the same in each of them: they are constants themselves. */
    final class Same implements ShapeKey {
        private final Step<Object>[] steps;

        Same(Step<Object>[] steps) {
            this.steps = steps;
        }

        @Override
        public boolean wantsProfile() {
            return Arrays.stream(steps).anyMatch(step -> step.specialised(true) != step);
        }

        @Override
        public Object[] constants(boolean[] takesNewObjects) {
            Step<?>[] hot = new Step<?>[steps.length];
            Arrays.setAll(hot, i -> steps[i].specialised(takesNewObjects[i]));
            return hot;
        }

        @Override
        public boolean isOf(Step<Object>[] others) {
            return StepIdentity.areSame(steps, others);
        }
    }

    /** Steps of the same kinds, as some have captured something. */
    final class Kinds implements ShapeKey {
        private final StepKind[] kinds;

        private Kinds(StepKind[] kinds) {
            this.kinds = kinds;
        }

        static Kinds of(Step<?>[] steps) {
            StepKind[] kinds = new StepKind[steps.length];
            Arrays.setAll(kinds, i -> StepKind.of(steps[i]));
            return new Kinds(kinds);
        }

        @Override
        public Object[] constants(boolean[] takesNewObjects) {
            return kinds;
        }

        @Override
        public boolean isOf(Step<Object>[] others) {
            boolean same = kinds.length == others.length;
            for (int i = 0; same && i < kinds.length; i++) {
                same = kinds[i].isOf(others[i]);
            }
            return same;
        }
    }
}
