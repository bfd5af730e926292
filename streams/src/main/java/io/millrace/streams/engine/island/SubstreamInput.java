package io.millrace.streams.engine.island;

import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.StageConsumer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The boundary into a stage from a stream that is run while the stage is: the stage is its exit, and the entry is attached
 * when {@link #stage()} is run. When the owner stops, the stream is cancelled.
 *
 * <p><b>Threads</b>: the owner's island calls everything; the island of the stream is the entry.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code claimed}: set once, by compare-and-set, by who runs the stage; the boundary.<br>
 * <b>States</b>: free -> claimed, once.<br>
 * <b>Proved by</b>: SubstreamStressTest.
 */
public final class SubstreamInput<T> extends Resource {
    private final String name;
    private final Boundary boundary;
    private final AtomicBoolean claimed = new AtomicBoolean();

    private SubstreamInput(Boundary boundary, StageContext owner, String name, StageConsumer<NotUsed> onSignal) {
        this.boundary = boundary;
        this.name = name;
        boundary.setExit(new StageWakeUp(owner, onSignal));
    }

    /** One whose entry is there already. */
    static <T> SubstreamInput<T> over(
            Boundary boundary, GraphStageLogic owner, String name, StageConsumer<NotUsed> onSignal) {
        StageContext context = StageContext.of(owner);
        SubstreamInput<T> opened = new SubstreamInput<>(boundary, context, name, onSignal);
        context.add(opened);
        opened.claimed.set(true);
        boundary.attachExit(context.island());
        return opened;
    }

    /**
     * Opens one in the owner's island, from its start on. The handler is called when there are elements again after there
     * were none, and at the end.
     */
    public static <T> SubstreamInput<T> open(
            GraphStageLogic owner, String name, int capacity, StageConsumer<NotUsed> onSignal) {
        StageContext context = StageContext.of(owner);
        Boundary boundary = new Boundary(null, context.island(), capacity);
        SubstreamInput<T> opened = new SubstreamInput<>(boundary, context, name, onSignal);
        context.add(opened);
        return opened;
    }

    /** Where the stream ends; it can be run into once. */
    @SuppressWarnings("unchecked")
    public GraphStage<SinkShape<T>> stage() {
        return (GraphStage<SinkShape<T>>) (GraphStage<?>) new End();
    }

    /** Whether there is an element; if not, the handler will be called when there is. */
    public boolean hasNext() {
        return boundary.hasNextOrPark();
    }

    /** Takes an element, of which there must be one. */
    @SuppressWarnings("unchecked")
    public T next() {
        return (T) boundary.next();
    }

    /** Whether the last element was taken and there will be no more. */
    public boolean isDrained() {
        return boundary.isDrained();
    }

    /** What ended it; null for completion. */
    @Nullable
    public Throwable failure() {
        return boundary.failure();
    }

    /** Cancels the stream, and gives up what has come. */
    public void cancel(Throwable cause) {
        detach();
        boundary.cancel(cause);
    }

    @Override
    void release(@Nullable Throwable failure) {
        if (!boundary.isDrained()) {
            boundary.cancel(failure == null ? new DownstreamFinished() : failure);
        }
    }

    /** The last stage of the stream. */
    private final class End extends GraphStage<SinkShape<Object>> {
        @Override
        public SinkShape<Object> shape() {
            return BoundaryEntry.SHAPE;
        }

        @Override
        public String name() {
            return "into:" + name;
        }

        @Override
        public GraphStageLogic createLogic(Attributes inherited) {
            if (!claimed.compareAndSet(false, true)) {
                throw new IllegalStateException(name + " was run into twice");
            }
            return new Entry(boundary);
        }
    }

    /** The entry in an island of another stream. */
    private static final class Entry extends BoundaryEntry {
        private final Boundary boundary;

        Entry(Boundary boundary) {
            super(boundary);
            this.boundary = boundary;
        }

        @Override
        public void preStart() {
            boundary.attachEntry(StageContext.of(this).island());
            super.preStart();
        }
    }
}
