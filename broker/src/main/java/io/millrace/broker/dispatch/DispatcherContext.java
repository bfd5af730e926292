package io.millrace.broker.dispatch;

import io.millrace.broker.log.Entry;
import io.millrace.broker.log.Position;
import io.millrace.streams.stage.SubSinkInlet;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What the parts of a dispatcher that reads a log use of the stage they belong to; called on the stage's island only. */
interface DispatcherContext extends IslandContext {
    /** Takes the entries of a read, each with a reference of its own, or its failure. */
    interface Arrival {
        void arrived(List<Entry> entries, @Nullable Throwable failure);
    }

    /** Passes the result of a read to the island; releases its entries if the stage has ended by then. */
    void whenRead(CompletionStage<List<Entry>> read, Arrival arrival);

    /** A new inlet for the tail hub. */
    SubSinkInlet<Position> openTailInlet();

    /** Runs the hub's source, conflated, into the inlet; the future completes when the hub has registered it. */
    CompletionStage<?> runTailInto(SubSinkInlet<Position> inlet);
}
