package io.millrace.streams.engine.segment;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What segments have in common that share the class of a body. */
sealed interface ShapeKey {
    /** That of this line. */
    static ShapeKey of(HotLine line) {
        for (Step<?> step : line.steps()) {
            if (!StepIdentity.isConstant(step)) {
                return Kinds.of(line);
            }
        }
        return new Same(line, StepIdentity.isConstant(line.expansion()));
    }

    /** A hash of lines that have the same key, from what is at hand. */
    static int hash(HotLine line) {
        Step<?>[] steps = line.steps();
        int hash = steps.length;
        if (line.expansion() != null) {
            hash = 31 * hash + line.expansion().getClass().hashCode();
            hash = 31 * hash + line.expansion().function().getClass().hashCode();
        }
        for (Step<?> step : steps) {
            hash = 31 * hash + step.getClass().hashCode();
            hash = 31 * hash + step.function().getClass().hashCode();
        }
        return hash;
    }

    /** Whether it pays to look at some elements first, as a step has a form of its own for those that are made within the line. */
    default boolean wantsProfile() {
        return false;
    }

    /** Whether all of the line is constant in the class. */
    boolean isWhole();

    /** Whether this line has this key, too. */
    boolean isOf(HotLine other);

    /** Whether this line has steps of the same kinds, so that it differs in what they are made of at most. */
    boolean isAlike(HotLine other);

    /**
     * What is constant in the class.
     *
     * @param seen for each step
     */
    Object constants(NewObjects[] seen);

    /** Lines that are the same in each of them: they are constants themselves, all but an expansion that has captured something. */
    final class Same implements ShapeKey {
        private final HotLine line;
        private final boolean isWhole;

        Same(HotLine line, boolean isWhole) {
            this.line = line;
            this.isWhole = isWhole;
        }

        @Override
        public boolean wantsProfile() {
            return Arrays.stream(line.steps()).anyMatch(step -> step.specialised(NewObjects.ALL) != step);
        }

        @Override
        public Object constants(NewObjects[] seen) {
            Step<?>[] steps = line.steps();
            Step<?>[] hot = new Step<?>[steps.length];
            Arrays.setAll(hot, i -> steps[i].specialised(seen[i]));
            return new HotLine(isWhole ? line.expansion() : null, hot);
        }

        @Override
        public boolean isWhole() {
            return isWhole;
        }

        @Override
        public boolean isOf(HotLine other) {
            return isSameExpansion(other.expansion()) && StepIdentity.areSame(line.steps(), other.steps());
        }

        @Override
        public boolean isAlike(HotLine other) {
            return Kinds.of(line).isOf(other);
        }

        private boolean isSameExpansion(@Nullable Expansion<Object> other) {
            return isWhole
                    ? StepIdentity.isSame(line.expansion(), other)
                    : other != null && !StepIdentity.isConstant(other);
        }
    }

    /** Steps of the same kinds, as some have captured something. */
    final class Kinds implements ShapeKey {
        private final StepKind[] kinds;
        private final boolean expands;

        private Kinds(StepKind[] kinds, boolean expands) {
            this.kinds = kinds;
            this.expands = expands;
        }

        static Kinds of(HotLine line) {
            StepKind[] kinds = new StepKind[line.steps().length];
            Arrays.setAll(kinds, i -> StepKind.of(line.steps()[i]));
            return new Kinds(kinds, line.expansion() != null);
        }

        @Override
        public Object constants(NewObjects[] seen) {
            return kinds;
        }

        @Override
        public boolean isWhole() {
            return false;
        }

        @Override
        public boolean isOf(HotLine other) {
            Step<?>[] others = other.steps();
            boolean same = kinds.length == others.length && expands == (other.expansion() != null);
            for (int i = 0; same && i < kinds.length; i++) {
                same = kinds[i].isOf(others[i]);
            }
            return same;
        }

        @Override
        public boolean isAlike(HotLine other) {
            return isOf(other);
        }
    }
}
