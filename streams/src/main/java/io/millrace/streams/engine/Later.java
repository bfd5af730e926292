package io.millrace.streams.engine;

import io.millrace.streams.stage.OutHandler;

/**
 * What a stage does of its own accord as soon as no event of its island is on its way, or after a while: once for all the times that it
 * was asked for before. Belongs to the island.
 */
public final class Later implements OutHandler {
    private final StageCell stage;
    private final Work work;
    private final Connection edge;

    /** What is to be done. */
    @FunctionalInterface
    public interface Work {
        void run() throws Exception;
    }

    /** Made when the stage has started. */
    public Later(StageCell stage, Work work) {
        this.stage = stage;
        this.work = work;
        edge = new Connection(stage.island(), stage, this);
    }

    /** Has it done. */
    public void ask() {
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
