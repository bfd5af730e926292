package io.millrace.streams.engine.batch;

import org.jspecify.annotations.Nullable;

/**
 * Where a stage takes batches from: the lower end of an edge, the exit of a boundary, or what stands in the stage itself before them. Belongs to the
 * stage's island.
 */
public interface BatchInput extends BatchSource {
    @Override
    void closeBatch(int count, @Nullable Throwable thrown);

    /** Whether it is a stage above that has made what the batch has thrown, and is told by {@link #closeBatch}. */
    default boolean isFailureAbove() {
        return false;
    }

    /** How much work it was to give so many elements of the last batch, in elements. */
    default int work(int count) {
        return count;
    }

    /** Whether there is certainly an element, without any work above. */
    boolean isElementAvailable();

    /** Takes the element. */
    Object grab();

    /** Gives up the element in hand, over which it has thrown. */
    default void drop() {}

    /**
     * Asks for an element, when there was none; whether there is one now. If not, the stage is called when there is one, or when it is over, unless it
     * is so already.
     */
    boolean isElementAvailableOrAsk();

    /** Has the stage called once more, after the other events of its island. */
    void callAgain();

    /** Whether all elements were taken and no more will come, as far as is known without a call of a user's function. */
    boolean isOver();

    /** Whether only a user's function can tell whether it is over. */
    default boolean asksUser() {
        return false;
    }

    /** What it has ended with, if nobody tells the stage; null for completion. */
    default @Nullable Throwable failure() {
        return null;
    }

    /** Takes no more and keeps nothing, and tells upstream so. */
    void cancel(Throwable why);
}
