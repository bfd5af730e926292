package io.millrace.streams.operator;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.ThrowingPredicate;

/**
 * Tests of user functions for lines that are compiled for themselves, with numbers that are kept out of their boxes meanwhile.
 * A compiler that bets on the outcome of a test must be able to go back to it, and keeps for that what is needed after it: of a box that
 * is needed, it makes an object for each element (JDK 17), of a number not.
 */
public final class Unboxed {
    private Unboxed() {}

    /** The element, if the condition holds for it; or {@link Step#NOTHING}. */
    public static Object ifPasses(ThrowingPredicate<Object> condition, Object element) throws Exception {
        if (element instanceof Integer boxed) {
            int value = boxed;
            return condition.test(Integer.valueOf(value)) ? Integer.valueOf(value) : Step.NOTHING;
        }
        if (element instanceof Long boxed) {
            long value = boxed;
            return condition.test(Long.valueOf(value)) ? Long.valueOf(value) : Step.NOTHING;
        }
        if (element instanceof Double boxed) {
            double value = boxed;
            return condition.test(Double.valueOf(value)) ? Double.valueOf(value) : Step.NOTHING;
        }
        return condition.test(element) ? element : Step.NOTHING;
    }
}
