package io.millrace.streams.engine.segment;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Calls the steps as {@link SegmentChain} does and looks, at some elements, which steps get objects that were made within the line;
 * then has the segment specialised accordingly.
 *
 * <p><b>Threads</b>: any island.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code made}, {@code passedOn}: only ever set, and what is missed is a matter of speed; {@code left}: counted down
 * atomically, so that one of them ends it.<br>
 * <b>Proved by</b>: SpecialisationTest.
 */
final class SegmentProfiler extends SegmentChain {
    private static final int LOOKED_AT = 256;

    private final Segment segment;
    private final Step<Object>[] steps;
    private final boolean[] made;
    private final boolean[] passedOn;
    private final boolean madeAtHead;
    private final AtomicInteger left = new AtomicInteger(LOOKED_AT);

    SegmentProfiler(Segment segment) {
        super(segment.steps());
        this.segment = segment;
        steps = segment.steps();
        made = new boolean[steps.length];
        passedOn = new boolean[steps.length];
        Origin origin = segment.origin();
        madeAtHead = origin != null && origin.makesElements();
    }

    @Override
    Object pass(SegmentRun run, Object element) throws Exception {
        @Nullable Object[] states = run.states;
        Object passed = element;
        int at = 0;
        try {
            for (; at < steps.length && passed != Step.NOTHING; at++) {
                note(at, passed, passed == element && !madeAtHead);
                passed = steps[at].apply(passed, states, at);
            }
        } catch (Throwable t) {
            run.failedAt = at;
            throw t;
        }
        if (left.decrementAndGet() == 0) {
            segment.become(new SegmentChain(steps)); // stays where too many live
            Specialiser.OF_PROCESS.request(segment, specialised());
        }
        return passed;
    }

    private void note(int step, Object passed, boolean isWhatCame) {
        if (!isCachedBox(passed)) {
            boolean[] notes = isWhatCame ? passedOn : made;
            notes[step] = true;
        }
    }

    /** Whether it is a box that every step would give for this number: it says nothing of where it was made. */
    private static boolean isCachedBox(Object element) {
        return (element instanceof Integer number && element == (Object) Integer.valueOf(number.intValue()))
                || (element instanceof Long other && element == (Object) Long.valueOf(other.longValue()));
    }

    private Step<?>[] specialised() {
        Step<?>[] hot = new Step<?>[steps.length];
        Arrays.setAll(hot, i -> steps[i].specialised(made[i] && !passedOn[i]));
        return hot;
    }
}
