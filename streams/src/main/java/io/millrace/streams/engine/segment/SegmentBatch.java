package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.island.BatchLease;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.pool.Turn;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * What comes out of the steps of one run of a segment, as a batch for the stage below. It throws nothing: what is thrown within belongs to the segment or
 * to a stage above it, and is kept until the batch is closed.
 */
final class SegmentBatch implements Iterator<Object> {
    private final SegmentRun run;
    private final StageContext context;
    private Iterator<?> source = Collections.emptyIterator();
    private SegmentBody body;
    private Turn turn;
    private Object found = Step.NOTHING;
    private int taken;
    /** Whether the last element that was looked for was the first that came: the next one is, too, as a rule, and a loop over one needs no watch. */
    private boolean isFirstIt;

    private @Nullable Throwable thrown;

    SegmentBatch(SegmentRun run) {
        this.run = run;
        context = StageContext.of(run);
        body = run.segment.body();
        turn = context.turn();
    }

    /** It takes elements from there until it is closed. */
    SegmentBatch open(Iterator<?> elements) {
        source = elements;
        body = run.segment.body();
        turn = context.turn();
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
        while (found == Step.NOTHING && more && taken < BatchLease.MAX_ELEMENTS && thrown == null && !run.isClosed()) {
            more = (isFirstIt && turn.allowed() > 0) ? lookWithin(1) : look(BatchLease.MAX_ELEMENTS - taken);
            taken += run.taken;
            isFirstIt = run.taken == 1 && found != Step.NOTHING;
        }
        return found != Step.NOTHING;
    }

    private boolean look(int most) {
        int allowedBefore = turn.open(most);
        try {
            return lookWithin(turn.allowed());
        } finally {
            turn.close(allowedBefore);
        }
    }

    /** Looks for an element among so many; false when the source has no more, or when it is time for others. */
    private boolean lookWithin(int most) {
        run.taken = 0;
        int before = context.beginWork();
        try {
            Object passed = body.pull(run, source, turn, most);
            run.failedAt = SegmentRun.HEAD;
            if (passed == SegmentBody.EXHAUSTED) {
                return false;
            }
            found = passed;
            return passed != Step.NOTHING || !turn.isLong();
        } catch (Throwable t) {
            thrown = run.afterSupervision(t);
            return run.failedAt != SegmentRun.HEAD && !turn.isLong();
        } finally {
            context.endWork(before);
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
