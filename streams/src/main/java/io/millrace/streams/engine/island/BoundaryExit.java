package io.millrace.streams.engine.island;

import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;

/** The downstream side of a boundary before a stage that is no segment: hands out elements as they are asked for. */
public class BoundaryExit extends GraphStageLogic implements OutHandler, BoundarySide {
    static final Outlet<Object> OUT = Outlet.create("boundary.out");
    static final SourceShape<Object> SHAPE = SourceShape.of(OUT);

    private final Boundary boundary;

    @SuppressWarnings("this-escape") // handlers are called from the start on, when the subclass is complete
    public BoundaryExit(Boundary boundary) {
        super(SHAPE);
        this.boundary = boundary;
        setHandler(OUT, this);
        boundary.setExit(StageContext.of(this));
    }

    @Override
    public void onPull() {
        if (boundary.hasNextOrPark()) {
            push(OUT, boundary.next());
        }
        endIfDrained();
    }

    @Override
    public void onDownstreamFinish(Throwable cause) {
        boundary.cancel(cause);
        completeStage();
    }

    @Override
    public void accept(NotUsed nothing) {
        if (isAvailable(OUT)) {
            onPull();
        } else {
            endIfDrained();
        }
    }

    /** Whatever ends the stage, the other side is to hear of it. */
    @Override
    public void postStop() {
        if (boundary.cancellation() == null && !boundary.isDrained()) {
            Throwable failure = StageContext.of(this).failure();
            boundary.cancel(failure == null ? new DownstreamFinished() : failure);
        }
    }

    final void endIfDrained() {
        if (!boundary.isDrained()) {
            return;
        }
        Throwable failure = boundary.failure();
        if (failure == null) {
            completeStage();
        } else {
            StageContext.of(this).passFailure(failure);
        }
    }
}
