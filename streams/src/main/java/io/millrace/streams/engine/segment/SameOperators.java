package io.millrace.streams.engine.segment;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operators that are constant, to be compared with others: they are of the same classes, of the same name, and made of the same numbers and functions that have captured nothing.
 * Immutable.
 */
public final class SameOperators {
    private final Class<?>[] classes;
    private final String[] names;
    private final Step<?>[] parts;
    /** The functions of those that are nothing but a function, which are compared first. */
    private final @Nullable Object[] functions;

    private SameOperators(List<? extends SynchronousStage<?, ?>> operators) {
        int count = operators.size();
        classes = new Class<?>[count];
        names = new String[count];
        parts = new Step<?>[count];
        functions = new Object[count];
        for (int i = 0; i < count; i++) {
            SynchronousStage<?, ?> operator = operators.get(i);
            classes[i] = operator.getClass();
            names[i] = operator.name();
            parts[i] = stepOf(operator);
            functions[i] = StepIdentity.onlyFunction(parts[i]);
        }
    }

    /** Null if one of them is not constant. */
    public static @Nullable SameOperators of(List<? extends SynchronousStage<?, ?>> operators) {
        for (SynchronousStage<?, ?> operator : operators) {
            if (!StepIdentity.isConstant(stepOf(operator))) {
                return null;
            }
        }
        return new SameOperators(operators);
    }

    /** Whether a function has captured nothing. */
    public static boolean isConstant(Object function) {
        return StepIdentity.isConstant(function);
    }

    /** Whether functions, of which one has captured nothing, do the same. */
    public static boolean areSame(Object one, Object other) {
        return StepIdentity.isSame(one, other);
    }

    /** A hash that functions have in common which do the same. */
    public static int hashOf(Object function) {
        return function instanceof Enum<?> constant
                ? constant.hashCode()
                : function.getClass().hashCode();
    }

    public int count() {
        return parts.length;
    }

    /** Whether that one is the same as the one at this place. */
    public boolean isSame(int at, SynchronousStage<?, ?> other) {
        if (other.getClass() != classes[at] || !other.name().equals(names[at])) {
            return false;
        }
        Step<?> step = stepOf(other);
        Object function = functions[at];
        return (function != null && step.function() == function) || StepIdentity.isSame(parts[at], step);
    }

    private static Step<?> stepOf(SynchronousStage<?, ?> operator) {
        return operator instanceof StepStage<?, ?> inner ? inner.step() : ((TerminalStage<?, ?>) operator).terminal();
    }
}
