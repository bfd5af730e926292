package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.pool.Turn;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Calls the steps one after the other in a loop: no preparation, but a call that the compiler cannot see through. */
class SegmentChain extends SegmentBody {
    private final Step<Object>[] steps;

    SegmentChain(Step<Object>[] steps) {
        this.steps = steps;
    }

    @Override
    Object pull(SegmentRun run, Iterator<?> source, Turn turn, int atMost) throws Exception {
        int taken = 0;
        Object out = Step.NOTHING;
        run.failedAt = SegmentRun.HEAD;
        try {
            while (out == Step.NOTHING && taken < atMost && turn.takesMoreThan(taken)) {
                if (!source.hasNext()) {
                    return EXHAUSTED;
                }
                Object element = Step.given(source.next());
                taken++;
                out = pass(run, element);
            }
        } finally {
            run.taken = taken;
        }
        return out;
    }

    @Override
    Object pass(SegmentRun run, Object element) throws Exception {
        return pass(steps, 0, run, element);
    }

    /** Passes an element through the steps from this one on. */
    static Object pass(Step<Object>[] steps, int from, SegmentRun run, Object element) throws Exception {
        @Nullable Object[] states = run.states;
        Object passed = element;
        int at = from;
        try {
            for (; at < steps.length; at++) {
                passed = steps[at].apply(passed, states, at);
                if (passed == Step.NOTHING) {
                    return passed;
                }
            }
        } catch (Throwable t) {
            run.failedAt = at;
            throw t;
        }
        return passed;
    }
}
