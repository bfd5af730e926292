package io.millrace.broker.dispatch;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What the parts of any dispatcher use of the stage they belong to; called on the stage's island only. */
interface IslandContext {
    /** Takes the value of a future, or its failure. */
    interface Outcome<T> {
        void done(@Nullable T value, @Nullable Throwable failure);
    }

    /** Asks for one turn after the events that are queued now. */
    void requestTurn();

    /** The time of the stage's timers, in nanoseconds. */
    long nanoTime();

    /** Runs the task on the island after the delay, unless the stage has ended by then. */
    void later(Runnable task, Duration delay);

    /** Passes the future's outcome to the island when it is done, unless the stage has ended by then. */
    <T> void whenDone(CompletionStage<T> future, Outcome<T> outcome);

    /** Ends the stage. */
    void end();
}
