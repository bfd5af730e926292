package io.millrace.streams.operator;

import io.millrace.streams.engine.BatchSink;
import io.millrace.streams.engine.Edge;
import io.millrace.streams.engine.StageContext;
import io.millrace.streams.engine.Step;
import io.millrace.streams.engine.Unchecked;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * What the stage above has at hand, taken by a stage that feeds the one below meanwhile: it tells what is thrown above from
 * what its owner throws. Belongs to the island.
 */
public final class Batch {
    private static final int MOST_AT_ONCE = 1024;

    private @Nullable Edge edge;
    private @Nullable Iterator<?> elements;
    private int taken;
    private boolean isAbove;

    /** Begins to take from that edge; whether there may be anything. */
    public boolean open(Edge from) {
        edge = from;
        elements = from.feed();
        taken = 0;
        return elements != null;
    }

    /** The next element; null if there is none at hand, or if it is time for others. */
    @Nullable
    public Object next() {
        Iterator<?> above = elements;
        if (above == null || taken == MOST_AT_ONCE || (taken > 0 && edge != null && !edge.mayGoOn())) {
            return null;
        }
        isAbove = true;
        @Nullable Object element = above.hasNext() ? Step.given(above.next()) : null;
        isAbove = false;
        taken += element == null ? 0 : 1;
        return element;
    }

    /** Has the taker take the next element on behalf of its stage; whether there was one, as {@link #next} has it. */
    public boolean give(StageContext stage, BatchSink taker) {
        Object element = next();
        if (element == null) {
            return false;
        }
        int before = stage.lend();
        try {
            taker.take(element);
        } catch (Exception e) {
            throw Unchecked.of(e);
        } finally {
            stage.takeBack(before);
        }
        return true;
    }

    /** Ends it, after that was thrown; throws that again if it came from the owner. */
    public void end(@Nullable Throwable thrown) throws Throwable {
        boolean cameFromAbove = isAbove;
        isAbove = false;
        Edge from = edge;
        if (elements != null && from != null) {
            elements = null;
            from.fed(taken, cameFromAbove ? thrown : null);
        }
        if (thrown != null && !cameFromAbove) {
            throw thrown;
        }
    }
}
