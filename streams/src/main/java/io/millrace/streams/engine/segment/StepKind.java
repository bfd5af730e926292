package io.millrace.streams.engine.segment;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What steps have in common that run the same code, whatever their functions have captured: the class of the step, and that of its function.
 *
 * <p>In the class of a hot segment the kinds of its steps are constants. So the compiler of the virtual machine knows the classes of what {@link #exact} and {@link
 * #function} give, and inlines both the step and the function, whatever else the program runs. They give objects, as the compiler of JDK 17 forgets the class of
 * what a method gives as an interface.
 */
sealed interface StepKind {
    static StepKind of(Step<?> step) {
        return new OfClasses(step.getClass(), step.function().getClass());
    }

    /** Whether a step is of this kind. */
    boolean isOf(Step<?> step);

    /** This step, which is of this kind. */
    Object exact(@Nullable Step<?> step);

    /** Its function. */
    Object function(Object exact);

    /** Applies it. */
    Object apply(Object exact, Object function, Object element, @Nullable Object[] states, int at) throws Exception;

    /** Of steps of these classes. */
    record OfClasses(Class<?> stepClass, Class<?> functionClass) implements StepKind {
        @Override
        public boolean isOf(Step<?> step) {
            return step.getClass() == stepClass && step.function().getClass() == functionClass;
        }

        @Override
        public Object exact(@Nullable Step<?> step) {
            return Objects.requireNonNull(stepClass.cast(step), "step");
        }

        @Override
        public Object function(Object exact) {
            return functionClass.cast(((Step<?>) exact).function());
        }

        @Override
        @SuppressWarnings("unchecked")
        public Object apply(Object exact, Object function, Object element, @Nullable Object[] states, int at)
                throws Exception {
            return ((Step<Object>) exact).applyWith(function, element, states, at);
        }
    }

    /** Of the places behind the last step of a segment. */
    enum Unused implements StepKind {
        UNUSED;

        @Override
        public boolean isOf(Step<?> step) {
            return false;
        }

        @Override
        public Object exact(@Nullable Step<?> step) {
            return this;
        }

        @Override
        public Object function(Object exact) {
            return this;
        }

        @Override
        public Object apply(Object exact, Object function, Object element, @Nullable Object[] states, int at) {
            return element;
        }
    }
}
