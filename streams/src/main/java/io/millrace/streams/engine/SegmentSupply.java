package io.millrace.streams.engine;

import io.millrace.streams.graph.Shape;
import io.millrace.streams.stage.DownstreamFinished;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Where the elements of a segment come from: the iterator of its origin, a boundary, or an edge, from which they are taken
 * by calls as far as the stage above has some at hand; perhaps through an expansion.
 */
abstract class SegmentSupply extends SegmentEnding {
    /** So many elements at most before other events of the island have their turn. */
    static final int CHUNK = 1024;

    int taken;

    @Nullable
    SegmentEntry entry;

    @Nullable
    Edge in;

    @Nullable
    Boundary from;

    private final @Nullable Expanding expanding;
    private @Nullable Iterator<?> own;
    private boolean fed;
    private int passedCount;

    SegmentSupply(Segment segment, Shape shape) {
        super(segment, shape);
        Expansion<Object> expansion = segment.expansion();
        expanding = expansion == null ? null : new Expanding(expansion);
    }

    final void startSupply() {
        in = segment.hasInlet() ? StageAccess.context(this).in(SegmentStage.IN) : null;
    }

    final void startOrigin() throws Exception {
        Origin origin = segment.origin();
        own = origin == null ? null : OriginStage.iterator(origin);
    }

    final boolean isExpansion() {
        return expanding != null;
    }

    /** Elements at hand, to be taken until {@link #close}; null if there are none. */
    final @Nullable Iterator<?> open() {
        if (own != null) {
            return own;
        }
        Iterator<?> source = from == null ? feed(in) : boundaryIfAny(from);
        if (expanding == null) {
            return source;
        }
        expanding.open(source, CHUNK, StageAccess.context(this).island().turn());
        return source != null || expanding.isOpen() ? expanding : null;
    }

    private @Nullable Iterator<?> feed(@Nullable Edge edge) {
        Iterator<?> elements = edge == null ? null : edge.feed();
        fed = elements != null;
        return elements;
    }

    private static @Nullable Iterator<?> boundaryIfAny(Boundary boundary) {
        return boundary.hasNext() ? boundary : null;
    }

    /** Whether what was thrown last is the failure of the stage that feeds this one. */
    final boolean isFailureAbove() {
        return fed && failedAt == HEAD && (expanding == null || expanding.isOutside());
    }

    /** Ends what {@link #open} has begun, of which so many were taken; the stage above gets the failure that is its own. */
    final void close(int count, @Nullable Throwable failureAbove) {
        int counted = expanding == null ? count : expanding.close();
        if (fed) {
            fed = false;
            Edge.required(in).fed(counted, failureAbove);
        }
        if (passed(Math.max(count, counted))) {
            StageAccess.context(this).island().charge(CHUNK);
        }
    }

    /** Counts elements; whether that made another chunk of them. */
    final boolean passed(int count) {
        passedCount += count;
        if (passedCount < CHUNK) {
            return false;
        }
        warm();
        return true;
    }

    final void warm() {
        segment.warm(passedCount);
        passedCount = 0;
    }

    /** Makes an element that has come in the next one to be expanded. */
    final void expand(Object element) throws Exception {
        if (expanding != null) {
            try {
                expanding.expand(element);
            } catch (Throwable t) {
                failedAt = HEAD;
                superviseHere(t);
            }
        }
    }

    /** As {@link #supervise}; an element that could not be expanded is given up. */
    final void superviseHere(Throwable failure) throws Exception {
        if (failedAt == HEAD && expanding != null) {
            expanding.drop();
        }
        supervise(failure);
    }

    /** What is left of a failure after supervision: nothing, or what ends the stream. */
    final @Nullable Throwable afterSupervision(Throwable failure) {
        if (isFailureAbove()) {
            return failure;
        }
        try {
            superviseHere(failure);
            return null;
        } catch (Throwable left) {
            return left;
        }
    }

    /** Whether there are certainly more elements, without any work above. */
    final boolean hasMore() {
        if (own != null) {
            return own.hasNext();
        }
        return (from != null && from.hasNext()) || (expanding != null && expanding.hasRest());
    }

    /** Whether only a user's function can tell that there are no more elements, and that would be the end. */
    final boolean isUnknownWhetherOver() {
        if (own != null) {
            Origin origin = segment.origin();
            return origin == null || !origin.isPlain();
        }
        return isExpanding() && (from == null ? in != null && in.isInClosed() : from.isDrained());
    }

    /** Whether something may be left of the last element that was expanded. */
    final boolean isExpanding() {
        return expanding != null && expanding.isOpen();
    }

    /** Whether no element will come any more, when there is none at hand. */
    final boolean isOver() {
        return own != null || (in != null && in.isInClosed());
    }

    @Override
    final void leaveUpstream() {
        forget();
        if (in != null) {
            in.cancel(new DownstreamFinished());
        } else if (from != null && !from.isDrained()) {
            from.cancel(new DownstreamFinished());
        }
    }

    /** Keeps no elements. */
    final void forget() {
        own = null;
        if (expanding != null) {
            expanding.drop();
        }
    }
}
