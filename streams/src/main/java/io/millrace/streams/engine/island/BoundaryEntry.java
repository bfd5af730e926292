package io.millrace.streams.engine.island;

import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;

/** The upstream side of a boundary behind a stage that is no segment: takes elements as long as there is room. */
public class BoundaryEntry extends GraphStageLogic implements InHandler, BoundarySide {
    static final Inlet<Object> IN = Inlet.create("boundary.in");
    static final SinkShape<Object> SHAPE = SinkShape.of(IN);

    private final Boundary boundary;

    @SuppressWarnings("this-escape") // handlers are called from the start on, when the subclass is complete
    public BoundaryEntry(Boundary boundary) {
        super(SHAPE);
        this.boundary = boundary;
        setHandler(IN, this);
        boundary.setEntry(StageContext.of(this));
    }

    @Override
    public void preStart() {
        accept(NotUsed.NOT_USED);
    }

    @Override
    public void onPush() {
        boundary.push(grab(IN));
        boundary.publish();
        pullIfRoom();
    }

    @Override
    public void onUpstreamFinish() {
        boundary.end(null);
        completeStage();
    }

    @Override
    public void onUpstreamFailure(Throwable failure) {
        boundary.end(failure);
        failStage(failure);
    }

    /** Whatever ends the stage, the other side is to hear of it. */
    @Override
    public void postStop() {
        if (!boundary.isEnded()) {
            boundary.end(abruptEnd());
        }
    }

    private void pullIfRoom() {
        if (boundary.hasRoomOrPark()) {
            boundary.unparkEntry();
            tryPull(IN);
        }
    }

    @Override
    public void accept(NotUsed nothing) {
        Throwable cancellation = boundary.cancellation();
        if (cancellation != null) {
            cancel(IN, cancellation);
        } else if (!hasBeenPulled(IN)) {
            pullIfRoom();
        }
    }
}
