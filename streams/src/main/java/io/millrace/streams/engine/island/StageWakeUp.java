package io.millrace.streams.engine.island;

import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.StageConsumer;

/**
 * Has a handler of a stage run in its island: once, however often that was asked for before it did; asking allocates
 * nothing. Any thread may ask from when the stage's stream is put together; after the stage has stopped nothing happens.
 */
public final class StageWakeUp extends Signal implements Runnable {
    private final StageContext context;
    private final StageConsumer<NotUsed> handler;

    StageWakeUp(StageContext context, StageConsumer<NotUsed> handler) {
        this.context = context;
        this.handler = handler;
    }

    /** Wakes this stage with this handler; made in the constructor of the stage's logic or later. */
    public static StageWakeUp of(GraphStageLogic logic, StageConsumer<NotUsed> handler) {
        return new StageWakeUp(StageContext.of(logic), handler);
    }

    /** Asks that the handler be run. */
    @Override
    public void run() {
        context.island().post(this);
    }

    @Override
    void deliver() {
        if (!context.isStopped()) {
            context.island().invoke(context, handler, NotUsed.NOT_USED);
        }
    }
}
