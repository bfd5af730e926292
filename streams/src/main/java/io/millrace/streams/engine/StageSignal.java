package io.millrace.streams.engine;

import io.millrace.streams.NotUsed;
import io.millrace.streams.stage.StageConsumer;

/** Tells one stage that there is something to look at. */
final class StageSignal extends Signal {
    private final StageCell cell;
    private final StageConsumer<NotUsed> handler;

    StageSignal(StageCell cell, StageConsumer<NotUsed> handler) {
        this.cell = cell;
        this.handler = handler;
    }

    @Override
    void deliver() {
        if (!cell.isStopped()) {
            cell.interpreter().invoke(cell, handler, NotUsed.NOT_USED);
        }
    }
}
