package io.millrace.streams.engine.island;

import org.jspecify.annotations.Nullable;

/** The logic of a stage that stands for several operators, which fail one by one and have a result together; belongs to the stage's island. */
public interface CompositeLogic {
    /** The path of the operator that threw last. */
    String failedOperator();

    /** Goes on after what a handler of this stage has thrown, if an operator behind the one that threw makes something else of it. */
    boolean outlives(Throwable thrown);

    /** Gives the result, as the stage has stopped and let go of everything; with what it has failed with, if it has. */
    void giveResult(@Nullable Throwable failure);

    /** Fails the result for a stage that is stuck; called by another thread. */
    void abandonResult(Throwable cause);
}
