package io.millrace.streams.engine.segment;

import org.jspecify.annotations.Nullable;

/** Calls the steps as {@link SegmentChain} does and tells their shape of some elements, until that has seen enough. */
final class SegmentProfiler extends SegmentChain {
    private final Segment segment;
    private final Step<Object>[] steps;
    private final SegmentShape shape;
    private final SegmentBody before;

    /** In place of the body before, which is there again in the end. */
    SegmentProfiler(Segment segment, SegmentShape shape, SegmentBody before) {
        super(segment.steps());
        this.segment = segment;
        this.shape = shape;
        this.before = before;
        steps = segment.steps();
    }

    @Override
    Object pass(SegmentRun run, Object element) throws Exception {
        @Nullable Object[] states = run.states;
        Object passed = element;
        int at = 0;
        try {
            for (; at < steps.length && passed != Step.NOTHING; at++) {
                shape.note(at, passed, passed == element);
                passed = apply(passed, states, at);
            }
        } catch (Throwable t) {
            run.failedAt = at;
            throw t;
        }
        int left = shape.countLooked();
        if (left <= 0) {
            segment.endProfile(this, before); // which stays where too many live
        }
        if (left == 0) {
            shape.request(segment);
        }
        return passed;
    }

    private Object apply(Object element, @Nullable Object[] states, int at) throws Exception {
        Step<Object> step = steps[at];
        if (!step.isStateful()) {
            return step.apply(element, states, at);
        }
        Object before = step.kept(Step.state(states, at));
        Object passed = step.apply(element, states, at);
        Object after = step.kept(Step.state(states, at));
        if (after != null && after != before && after != element) {
            shape.noteKept(at, after);
        }
        return passed;
    }
}
