package io.millrace.streams.engine.island;

import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;
import org.jspecify.annotations.Nullable;

/**
 * What a stage does of its own accord as soon as no event of its island is on its way, or after a while: once for all the times that it
 * was asked for before. Belongs to the island.
 */
public final class Later implements OutHandler {
    private final StageContext stage;
    private final Work work;
    private @Nullable Edge edge;

    /** What is to be done. */
    @FunctionalInterface
    public interface Work {
        void run() throws Exception;
    }

    public Later(GraphStageLogic logic, Work work) {
        this(StageContext.of(logic), work);
    }

    Later(StageContext stage, Work work) {
        this.stage = stage;
        this.work = work;
    }

    /** Has it done; once the stage has started. */
    public void ask() {
        if (edge == null) {
            edge = Edge.toSelf(stage, this);
        }
        edge.callLater();
    }

    @Override
    public void onPull() throws Exception {
        if (!stage.isStopped()) {
            work.run();
        }
    }

    @Override
    public void onDownstreamFinish(Throwable cause) {
        throw new IllegalStateException("nobody cancels the edge by which a stage calls itself");
    }
}
