package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.graph.ThrowingPredicate;

/**
 * A predicate of elements, which may fail.
 *
 * @param modulus one element of so many is marked
 * @param isOfMarked whether it holds for those that are marked, or for the others
 */
record Condition(Fault fault, int modulus, boolean isOfMarked) {
    /** Puts an operator that takes a predicate at the end of a flow. */
    @FunctionalInterface
    interface Body {
        Flow<Object, Object, ?> at(Flow<Object, Object, ?> flow, ThrowingPredicate<Object> predicate);
    }

    static Condition drawn(Dice dice, int greatestModulus, boolean isOfMarked) {
        return new Condition(dice.thrown(), dice.from(2, greatestModulus), isOfMarked);
    }

    boolean holds(String step, Object element) throws Exception {
        return fault.of(step, element, (Fault.hash(element, modulus) == 1) == isOfMarked);
    }

    /** An operator that takes nothing but this. */
    Kind kind(String operator, Body body, Kind.Model model) {
        String value = "Fault.hash(x, " + modulus + ") " + (isOfMarked ? "==" : "!=") + " 1";
        return Kind.of(
                operator,
                operator + "((Object x) -> " + fault.text("$0", value) + ")",
                (flow, step, others) -> body.at(flow, element -> holds(step, element)),
                model);
    }
}
