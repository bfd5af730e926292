package io.millrace.streams.engine;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The logic of a stage whose elements the stage below may take within its own handler, by calls, instead of by a pull and
 * a push event for each. Endings, and whatever is not at hand, go by events as ever; {@link Edge#feed} is the way to
 * it. Belongs to the island, as everything in it.
 */
public interface BatchSource {
    /**
     * What is at hand for the edge at the one outlet, on which nothing is under way; null when it has to be pulled. Taken
     * from until {@link #fed} is called, in the same handler; an element that was found is taken, too. May end early, and
     * pass on what its elements' maker throws.
     */
    @Nullable
    Iterator<?> feed();

    /**
     * No more is taken from what {@link #feed} gave.
     *
     * @param count how many were taken
     * @param thrown what it has thrown, if it has
     */
    void fed(int count, @Nullable Throwable thrown) throws Throwable;
}
