package io.millrace.streams.engine.segment;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is constant in the class of one hot segment: its expansion, if it begins with one that is to be constant, and its steps. It is never changed.
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares it
record HotLine(@Nullable Expansion<Object> expansion, Step<?>[] steps) {
    private static final Step<Object> PASS_ON = new PassOn();

    /** The same with a step at each place of the template. */
    HotLine filled() {
        return new HotLine(expansion, filled(steps));
    }

    /** These steps, and as many as there are places besides that pass elements on. */
    static Step<?>[] filled(Step<?>[] steps) {
        Step<?>[] all = Arrays.copyOf(steps, SegmentTemplate.STEP_COUNT, Step[].class);
        Arrays.fill(all, steps.length, all.length, PASS_ON);
        return all;
    }

    /** Fills the places after the last step. */
    private record PassOn() implements Step<Object> {
        @Override
        public Object apply(Object element, @Nullable Object[] states, int at) {
            return element;
        }
    }
}
