package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.pool.LoopWatch;
import io.millrace.streams.engine.pool.Turn;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandle;
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
    private static final LoopWatch WATCH = new LoopWatch();
    private static final MethodHandle IS_UNWATCHED = WATCH.isOff();
    private static final HotLine LINE = line();
    private static final @Nullable Expansion<Object> EXPANSION = LINE.expansion();

    @SuppressWarnings("unchecked")
    private static final Step<Object>[] STEPS = (Step<Object>[]) LINE.steps();

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
    /** Those of function steps. */
    private static final @Nullable Object[] FUNCTIONS = functions();

    private static final @Nullable Object F0 = FUNCTIONS[0];
    private static final @Nullable Object F1 = FUNCTIONS[1];
    private static final @Nullable Object F2 = FUNCTIONS[2];
    private static final @Nullable Object F3 = FUNCTIONS[3];
    private static final @Nullable Object F4 = FUNCTIONS[4];
    private static final @Nullable Object F5 = FUNCTIONS[5];
    private static final @Nullable Object F6 = FUNCTIONS[6];
    private static final @Nullable Object F7 = FUNCTIONS[7];
    private static final @Nullable Object F8 = FUNCTIONS[8];
    private static final @Nullable Object F9 = FUNCTIONS[9];
    private static final @Nullable Object F10 = FUNCTIONS[10];
    private static final @Nullable Object F11 = FUNCTIONS[11];
    private static final @Nullable Object F12 = FUNCTIONS[12];
    private static final @Nullable Object F13 = FUNCTIONS[13];
    private static final @Nullable Object F14 = FUNCTIONS[14];
    private static final @Nullable Object F15 = FUNCTIONS[15];
    private static final @Nullable Object F16 = FUNCTIONS[16];
    private static final @Nullable Object F17 = FUNCTIONS[17];
    private static final @Nullable Object F18 = FUNCTIONS[18];
    private static final @Nullable Object F19 = FUNCTIONS[19];
    private static final @Nullable Object F20 = FUNCTIONS[20];
    private static final @Nullable Object F21 = FUNCTIONS[21];
    private static final @Nullable Object F22 = FUNCTIONS[22];
    private static final @Nullable Object F23 = FUNCTIONS[23];
    private static final @Nullable Object F24 = FUNCTIONS[24];
    private static final @Nullable Object F25 = FUNCTIONS[25];
    private static final @Nullable Object F26 = FUNCTIONS[26];
    private static final @Nullable Object F27 = FUNCTIONS[27];
    private static final @Nullable Object F28 = FUNCTIONS[28];
    private static final @Nullable Object F29 = FUNCTIONS[29];
    private static final @Nullable Object F30 = FUNCTIONS[30];
    private static final @Nullable Object F31 = FUNCTIONS[31];

    private static HotLine line() {
        try {
            return MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, HotLine.class);
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static @Nullable Object[] functions() {
        @Nullable Object[] functions = new Object[STEP_COUNT];
        for (int i = 0; i < STEP_COUNT; i++) {
            functions[i] = STEPS[i] instanceof FunctionStep<?> step ? step.function() : null;
        }
        return functions;
    }

    private static boolean isUnwatched() {
        try {
            return (boolean) IS_UNWATCHED.invokeExact();
        } catch (Throwable t) {
            throw new LinkageError("a constant cannot be read", t);
        }
    }

    @Override
    Object pull(SegmentRun run, Iterator<?> source, Turn turn, int atMost) throws Exception {
        @Nullable Object[] states = run.states;
        int taken = 0;
        int at = SegmentRun.HEAD;
        turn.enter(WATCH, atMost);
        try {
            while (taken < atMost && !run.isClosed() && (isUnwatched() || turn.takesMoreThan(taken))) {
                at = SegmentRun.HEAD;
                Iterator<?> from = source;
                if (EXPANSION != null && source instanceof Expanding head) {
                    Iterator<?> rest = head.made;
                    while (rest == null || !rest.hasNext()) {
                        head.made = null;
                        Iterator<?> above = head.goOutside(turn);
                        if (above == null) {
                            return EXHAUSTED;
                        }
                        if (!above.hasNext()) {
                            head.comeBack(0);
                            return EXHAUSTED;
                        }
                        Object element = Step.given(above.next());
                        head.comeBack(1);
                        rest = head.made(EXPANSION.expand(element));
                    }
                    from = rest;
                } else if (!source.hasNext()) {
                    return EXHAUSTED;
                }
                Object passed = Step.given(from.next());
                taken++;
                at = 0;
                passed = F0 == null ? S0.apply(passed, states, 0) : S0.applyWith(F0, passed, states, 0);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 1;
                passed = F1 == null ? S1.apply(passed, states, 1) : S1.applyWith(F1, passed, states, 1);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 2;
                passed = F2 == null ? S2.apply(passed, states, 2) : S2.applyWith(F2, passed, states, 2);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 3;
                passed = F3 == null ? S3.apply(passed, states, 3) : S3.applyWith(F3, passed, states, 3);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 4;
                passed = F4 == null ? S4.apply(passed, states, 4) : S4.applyWith(F4, passed, states, 4);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 5;
                passed = F5 == null ? S5.apply(passed, states, 5) : S5.applyWith(F5, passed, states, 5);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 6;
                passed = F6 == null ? S6.apply(passed, states, 6) : S6.applyWith(F6, passed, states, 6);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 7;
                passed = F7 == null ? S7.apply(passed, states, 7) : S7.applyWith(F7, passed, states, 7);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 8;
                passed = F8 == null ? S8.apply(passed, states, 8) : S8.applyWith(F8, passed, states, 8);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 9;
                passed = F9 == null ? S9.apply(passed, states, 9) : S9.applyWith(F9, passed, states, 9);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 10;
                passed = F10 == null ? S10.apply(passed, states, 10) : S10.applyWith(F10, passed, states, 10);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 11;
                passed = F11 == null ? S11.apply(passed, states, 11) : S11.applyWith(F11, passed, states, 11);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 12;
                passed = F12 == null ? S12.apply(passed, states, 12) : S12.applyWith(F12, passed, states, 12);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 13;
                passed = F13 == null ? S13.apply(passed, states, 13) : S13.applyWith(F13, passed, states, 13);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 14;
                passed = F14 == null ? S14.apply(passed, states, 14) : S14.applyWith(F14, passed, states, 14);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 15;
                passed = F15 == null ? S15.apply(passed, states, 15) : S15.applyWith(F15, passed, states, 15);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 16;
                passed = F16 == null ? S16.apply(passed, states, 16) : S16.applyWith(F16, passed, states, 16);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 17;
                passed = F17 == null ? S17.apply(passed, states, 17) : S17.applyWith(F17, passed, states, 17);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 18;
                passed = F18 == null ? S18.apply(passed, states, 18) : S18.applyWith(F18, passed, states, 18);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 19;
                passed = F19 == null ? S19.apply(passed, states, 19) : S19.applyWith(F19, passed, states, 19);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 20;
                passed = F20 == null ? S20.apply(passed, states, 20) : S20.applyWith(F20, passed, states, 20);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 21;
                passed = F21 == null ? S21.apply(passed, states, 21) : S21.applyWith(F21, passed, states, 21);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 22;
                passed = F22 == null ? S22.apply(passed, states, 22) : S22.applyWith(F22, passed, states, 22);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 23;
                passed = F23 == null ? S23.apply(passed, states, 23) : S23.applyWith(F23, passed, states, 23);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 24;
                passed = F24 == null ? S24.apply(passed, states, 24) : S24.applyWith(F24, passed, states, 24);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 25;
                passed = F25 == null ? S25.apply(passed, states, 25) : S25.applyWith(F25, passed, states, 25);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 26;
                passed = F26 == null ? S26.apply(passed, states, 26) : S26.applyWith(F26, passed, states, 26);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 27;
                passed = F27 == null ? S27.apply(passed, states, 27) : S27.applyWith(F27, passed, states, 27);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 28;
                passed = F28 == null ? S28.apply(passed, states, 28) : S28.applyWith(F28, passed, states, 28);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 29;
                passed = F29 == null ? S29.apply(passed, states, 29) : S29.applyWith(F29, passed, states, 29);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 30;
                passed = F30 == null ? S30.apply(passed, states, 30) : S30.applyWith(F30, passed, states, 30);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 31;
                passed = F31 == null ? S31.apply(passed, states, 31) : S31.applyWith(F31, passed, states, 31);
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
            turn.leave(atMost);
        }
    }
}
