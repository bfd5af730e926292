package io.millrace.streams.fuzz;

import io.millrace.streams.Flow;
import io.millrace.streams.Source;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * An operator with its parameters: in the library, in the interpreter, and as a text that can be pasted.
 *
 * @param operator its name
 * @param text what is called on a flow; a dollar sign and a digit stand for another source
 * @param others how many other sources it takes
 * @param traits what is open about it
 */
record Kind(String operator, String text, int others, Set<Trait> traits, Body body, Model model) {
    enum Trait {
        /** It may ask upstream for elements before it needs them. */
        AHEAD,
        /** A failure of upstream or of another source may overtake elements that it holds. */
        OVERTAKEN,
        /** It holds elements, which a failure that nobody has asked for overtakes. */
        HOLDS,
        /** It may fail when upstream completes, which nobody has asked for. */
        FAILS_AT_END
    }

    /** Puts the operator at the end of an empty flow. */
    @FunctionalInterface
    interface Body {
        Flow<Object, Object, ?> at(Flow<Object, Object, ?> flow, String step, List<Source<Object, ?>> others);
    }

    /** What the operator makes of the elements above it. */
    @FunctionalInterface
    interface Model {
        Pull over(Pull upstream, Place place, List<Supplier<Pull>> others);
    }

    /** One that takes elements only as they are asked for. */
    static Kind of(String operator, String text, Body body, Model model) {
        return new Kind(operator, text, 0, Set.of(), body, model);
    }

    Kind with(int otherCount, Trait... more) {
        return new Kind(operator, text, otherCount, Set.of(more), body, model);
    }

    /** Whether it takes elements and failures only as they are asked for. */
    boolean isExact() {
        return !traits.contains(Trait.AHEAD) && others == 0;
    }

    /** Whether what it gives may come unasked. */
    boolean isUnasked() {
        return !isExact() || traits.contains(Trait.FAILS_AT_END);
    }

    /** The elements that it makes; upstream may come unasked, or not. */
    Pull over(Pull upstream, boolean isUnasked, Place place, List<Supplier<Pull>> sources) {
        boolean isOvertaken = traits.contains(Trait.OVERTAKEN) || (traits.contains(Trait.HOLDS) && isUnasked);
        if (!isOvertaken) {
            return model.over(upstream, place, sources);
        }
        List<Supplier<Pull>> watched = sources.stream()
                .<Supplier<Pull>>map(source -> () -> place.run().overtaking(source.get()))
                .toList();
        return model.over(place.run().overtaking(upstream), place, watched);
    }
}
