package io.millrace.streams.engine;

import io.millrace.streams.engine.pool.Turn;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** What comes out of the steps of one run of a segment, for the stage below to take; it throws nothing. */
final class SegmentFeed implements Iterator<Object> {
    private final SegmentLogic run;
    private final StageContext context;
    private final Island island;
    private Iterator<?> source = Collections.emptyIterator();
    private Object found = Step.NOTHING;
    private int atMost;
    private int taken;
    private @Nullable Throwable thrown;

    SegmentFeed(SegmentLogic run) {
        this.run = run;
        context = StageAccess.context(run);
        island = context.island();
    }

    /** It may take so many elements from there until it is closed. */
    SegmentFeed open(Iterator<?> elements, int most) {
        source = elements;
        atMost = most;
        taken = 0;
        thrown = null;
        return this;
    }

    /** Takes no more, and says how many it took. */
    int close() {
        source = Collections.emptyIterator();
        return taken;
    }

    /** What a step or the source has thrown, and supervision did not allow. */
    @Nullable
    Throwable thrown() {
        return thrown;
    }

    @Override
    public boolean hasNext() {
        boolean more = true;
        while (found == Step.NOTHING && more && taken < atMost && thrown == null && run.closedAt < 0) {
            more = look(atMost - taken);
            taken += run.taken;
        }
        return found != Step.NOTHING;
    }

    /** Looks for an element among so many; false when the source has no more, or when it is time for others. */
    private boolean look(int most) {
        run.taken = 0;
        Turn turn = island.turn();
        int before = context.lend();
        int allowedBefore = turn.open(most);
        try {
            Object passed = run.segment.body().pull(run, source, turn);
            run.failedAt = SegmentEnding.HEAD;
            if (passed == SegmentBody.EXHAUSTED) {
                return false;
            }
            found = passed;
            return passed != Step.NOTHING || !turn.isLong();
        } catch (Throwable t) {
            thrown = run.afterSupervision(t);
            return run.failedAt != SegmentEnding.HEAD;
        } finally {
            turn.close(allowedBefore);
            context.takeBack(before);
        }
    }

    @Override
    public Object next() {
        Object element = found;
        if (element == Step.NOTHING) {
            throw new NoSuchElementException("nothing has come out");
        }
        found = Step.NOTHING;
        return element;
    }
}
