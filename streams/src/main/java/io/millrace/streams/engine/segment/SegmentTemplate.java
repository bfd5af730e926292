package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.pool.Turn;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The straight line through the steps of one segment, as a template: {@link Specialiser} defines it again for each hot
 * segment as a hidden class whose class data are the segment's steps. As they are constants there, the virtual machine
 * inlines every step and the user's function in it, whatever else runs. The line stands in one method because a part
 * of it that was compiled by itself would not be inlined any more. Never used as it stands.
 */
final class SegmentTemplate extends SegmentBody {
    static final int STEP_COUNT = 32;
    private static final Step<Object>[] STEPS = steps();
    private static final Step<Object> S0 = STEPS[0];
    private static final Step<Object> S1 = STEPS[1];
    private static final Step<Object> S2 = STEPS[2];
    private static final Step<Object> S3 = STEPS[3];
    private static final Step<Object> S4 = STEPS[4];
    private static final Step<Object> S5 = STEPS[5];
    private static final Step<Object> S6 = STEPS[6];
    private static final Step<Object> S7 = STEPS[7];
    private static final Step<Object> S8 = STEPS[8];
    private static final Step<Object> S9 = STEPS[9];
    private static final Step<Object> S10 = STEPS[10];
    private static final Step<Object> S11 = STEPS[11];
    private static final Step<Object> S12 = STEPS[12];
    private static final Step<Object> S13 = STEPS[13];
    private static final Step<Object> S14 = STEPS[14];
    private static final Step<Object> S15 = STEPS[15];
    private static final Step<Object> S16 = STEPS[16];
    private static final Step<Object> S17 = STEPS[17];
    private static final Step<Object> S18 = STEPS[18];
    private static final Step<Object> S19 = STEPS[19];
    private static final Step<Object> S20 = STEPS[20];
    private static final Step<Object> S21 = STEPS[21];
    private static final Step<Object> S22 = STEPS[22];
    private static final Step<Object> S23 = STEPS[23];
    private static final Step<Object> S24 = STEPS[24];
    private static final Step<Object> S25 = STEPS[25];
    private static final Step<Object> S26 = STEPS[26];
    private static final Step<Object> S27 = STEPS[27];
    private static final Step<Object> S28 = STEPS[28];
    private static final Step<Object> S29 = STEPS[29];
    private static final Step<Object> S30 = STEPS[30];
    private static final Step<Object> S31 = STEPS[31];

    @SuppressWarnings("unchecked")
    private static Step<Object>[] steps() {
        try {
            return MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, Step[].class);
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    Object pull(SegmentRun run, Iterator<?> source, Turn turn) throws Exception {
        @Nullable Object[] states = run.states;
        int taken = 0;
        int at = SegmentRun.HEAD;
        try {
            while (turn.takesMoreThan(taken)) {
                at = SegmentRun.HEAD;
                if (!source.hasNext()) {
                    return EXHAUSTED;
                }
                Object passed = Step.given(source.next());
                taken++;
                at = 0;
                passed = S0.apply(passed, states, 0);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 1;
                passed = S1.apply(passed, states, 1);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 2;
                passed = S2.apply(passed, states, 2);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 3;
                passed = S3.apply(passed, states, 3);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 4;
                passed = S4.apply(passed, states, 4);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 5;
                passed = S5.apply(passed, states, 5);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 6;
                passed = S6.apply(passed, states, 6);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 7;
                passed = S7.apply(passed, states, 7);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 8;
                passed = S8.apply(passed, states, 8);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 9;
                passed = S9.apply(passed, states, 9);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 10;
                passed = S10.apply(passed, states, 10);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 11;
                passed = S11.apply(passed, states, 11);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 12;
                passed = S12.apply(passed, states, 12);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 13;
                passed = S13.apply(passed, states, 13);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 14;
                passed = S14.apply(passed, states, 14);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 15;
                passed = S15.apply(passed, states, 15);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 16;
                passed = S16.apply(passed, states, 16);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 17;
                passed = S17.apply(passed, states, 17);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 18;
                passed = S18.apply(passed, states, 18);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 19;
                passed = S19.apply(passed, states, 19);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 20;
                passed = S20.apply(passed, states, 20);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 21;
                passed = S21.apply(passed, states, 21);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 22;
                passed = S22.apply(passed, states, 22);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 23;
                passed = S23.apply(passed, states, 23);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 24;
                passed = S24.apply(passed, states, 24);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 25;
                passed = S25.apply(passed, states, 25);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 26;
                passed = S26.apply(passed, states, 26);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 27;
                passed = S27.apply(passed, states, 27);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 28;
                passed = S28.apply(passed, states, 28);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 29;
                passed = S29.apply(passed, states, 29);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 30;
                passed = S30.apply(passed, states, 30);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 31;
                passed = S31.apply(passed, states, 31);
                if (passed == Step.NOTHING) {
                    continue;
                }
                return passed;
            }
            return Step.NOTHING;
        } catch (Throwable t) {
            run.failedAt = at;
            throw t;
        } finally {
            run.taken = taken;
        }
    }
}
