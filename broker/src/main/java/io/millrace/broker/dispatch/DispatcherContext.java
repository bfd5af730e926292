package io.millrace.broker.dispatch;

import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.streams.stage.SubSinkInlet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What the parts of a dispatcher use of the stage they belong to; called on the stage's island only. */
interface DispatcherContext {
    /** Takes the entries of a read, each with a reference of its own, or its failure. */
    interface Arrival {
        void arrived(List<Entry> entries, @Nullable Throwable failure);
    }

    /** Takes the value of a future, or its failure. */
    interface Outcome<T> {
        void done(@Nullable T value, @Nullable Throwable failure);
    }

    /** Asks for one turn (deliver, flush, log acknowledgements) after the events that are queued now. */
    void requestTurn();

    /** Passes the result of a read to the island; releases its entries if the stage has ended by then. */
    void whenRead(CompletionStage<List<Entry>> read, Arrival arrival);

    /** Runs the task on the island after the delay, unless the stage has ended by then. */
    void later(Runnable task, Duration delay);

    /** Passes the future's outcome to the island when it is done, unless the stage has ended by then. */
    <T> void whenDone(CompletionStage<T> future, Outcome<T> outcome);

    /** A new inlet for the tail hub. */
    SubSinkInlet<Position> openTailInlet();

    /** Runs the hub's source, conflated, into the inlet; the future completes when the hub has registered it. */
    CompletionStage<?> runTailInto(SubSinkInlet<Position> inlet);

    /** Ends the stage. */
    void end();
}
