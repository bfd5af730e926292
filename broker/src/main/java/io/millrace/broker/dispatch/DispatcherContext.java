package io.millrace.broker.dispatch;

import io.millrace.broker.log.Entry;
import io.millrace.streams.stage.SubSinkInlet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What the parts of a dispatcher ask of the stage they live in; all of it on the stage's island. */
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

    /** Brings the result of a read to the island; releases it if the stage is gone by then. */
    void whenRead(CompletionStage<List<Entry>> read, Arrival arrival);

    /** Runs the task on the island, unless the stage is gone by then. */
    void later(Runnable task, Duration delay);

    /** Hands the future's outcome to the island when it is done; not if the stage is gone by then. */
    <T> void whenDone(CompletionStage<T> future, Outcome<T> outcome);

    /** A new inlet for the tail hub. */
    SubSinkInlet<TailEntry> openTailInlet();

    /** Runs the hub's source, conflated, into the inlet; the future completes when the hub has registered it. */
    CompletionStage<?> runTailInto(SubSinkInlet<TailEntry> inlet);

    /** Ends the stage. */
    void end();
}
