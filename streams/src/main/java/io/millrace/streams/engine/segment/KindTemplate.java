package io.millrace.streams.engine.segment;

import io.millrace.streams.engine.pool.LoopWatch;
import io.millrace.streams.engine.pool.Turn;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The straight line through the steps of a segment whose functions have captured something: as {@link SegmentTemplate}, but the constants of a class are the {@link StepKind
 * kinds} of steps, and each segment has a body of its own of that class with its steps. The classes are looked at where a loop begins anew, before there is an
 * element: a compiler that must be able to go back from there would keep the box of one. Never used as it stands.
 */
final class KindTemplate extends SegmentBody {
    private static final LoopWatch WATCH = new LoopWatch();
    private static final MethodHandle IS_UNWATCHED = WATCH.isOff();
    private static final StepKind[] KINDS = kinds();
    private static final StepKind K0 = KINDS[0];
    private static final StepKind K1 = KINDS[1];
    private static final StepKind K2 = KINDS[2];
    private static final StepKind K3 = KINDS[3];
    private static final StepKind K4 = KINDS[4];
    private static final StepKind K5 = KINDS[5];
    private static final StepKind K6 = KINDS[6];
    private static final StepKind K7 = KINDS[7];
    private static final StepKind K8 = KINDS[8];
    private static final StepKind K9 = KINDS[9];
    private static final StepKind K10 = KINDS[10];
    private static final StepKind K11 = KINDS[11];
    private static final StepKind K12 = KINDS[12];
    private static final StepKind K13 = KINDS[13];
    private static final StepKind K14 = KINDS[14];
    private static final StepKind K15 = KINDS[15];
    private static final StepKind K16 = KINDS[16];
    private static final StepKind K17 = KINDS[17];
    private static final StepKind K18 = KINDS[18];
    private static final StepKind K19 = KINDS[19];
    private static final StepKind K20 = KINDS[20];
    private static final StepKind K21 = KINDS[21];
    private static final StepKind K22 = KINDS[22];
    private static final StepKind K23 = KINDS[23];
    private static final StepKind K24 = KINDS[24];
    private static final StepKind K25 = KINDS[25];
    private static final StepKind K26 = KINDS[26];
    private static final StepKind K27 = KINDS[27];
    private static final StepKind K28 = KINDS[28];
    private static final StepKind K29 = KINDS[29];
    private static final StepKind K30 = KINDS[30];
    private static final StepKind K31 = KINDS[31];

    private final @Nullable Step<?> step0;
    private final @Nullable Step<?> step1;
    private final @Nullable Step<?> step2;
    private final @Nullable Step<?> step3;
    private final @Nullable Step<?> step4;
    private final @Nullable Step<?> step5;
    private final @Nullable Step<?> step6;
    private final @Nullable Step<?> step7;
    private final @Nullable Step<?> step8;
    private final @Nullable Step<?> step9;
    private final @Nullable Step<?> step10;
    private final @Nullable Step<?> step11;
    private final @Nullable Step<?> step12;
    private final @Nullable Step<?> step13;
    private final @Nullable Step<?> step14;
    private final @Nullable Step<?> step15;
    private final @Nullable Step<?> step16;
    private final @Nullable Step<?> step17;
    private final @Nullable Step<?> step18;
    private final @Nullable Step<?> step19;
    private final @Nullable Step<?> step20;
    private final @Nullable Step<?> step21;
    private final @Nullable Step<?> step22;
    private final @Nullable Step<?> step23;
    private final @Nullable Step<?> step24;
    private final @Nullable Step<?> step25;
    private final @Nullable Step<?> step26;
    private final @Nullable Step<?> step27;
    private final @Nullable Step<?> step28;
    private final @Nullable Step<?> step29;
    private final @Nullable Step<?> step30;
    private final @Nullable Step<?> step31;

    /** Of as many steps as there are places. */
    KindTemplate(@Nullable Step<?>[] steps) {
        step0 = steps[0];
        step1 = steps[1];
        step2 = steps[2];
        step3 = steps[3];
        step4 = steps[4];
        step5 = steps[5];
        step6 = steps[6];
        step7 = steps[7];
        step8 = steps[8];
        step9 = steps[9];
        step10 = steps[10];
        step11 = steps[11];
        step12 = steps[12];
        step13 = steps[13];
        step14 = steps[14];
        step15 = steps[15];
        step16 = steps[16];
        step17 = steps[17];
        step18 = steps[18];
        step19 = steps[19];
        step20 = steps[20];
        step21 = steps[21];
        step22 = steps[22];
        step23 = steps[23];
        step24 = steps[24];
        step25 = steps[25];
        step26 = steps[26];
        step27 = steps[27];
        step28 = steps[28];
        step29 = steps[29];
        step30 = steps[30];
        step31 = steps[31];
    }

    private static StepKind[] kinds() {
        try {
            return MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, StepKind[].class);
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    SegmentBody of(Step<?>[] steps) {
        return new KindTemplate(HotLine.filled(steps));
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
                Object s0 = K0.exact(step0);
                Object f0 = K0.function(s0);
                Object s1 = K1.exact(step1);
                Object f1 = K1.function(s1);
                Object s2 = K2.exact(step2);
                Object f2 = K2.function(s2);
                Object s3 = K3.exact(step3);
                Object f3 = K3.function(s3);
                Object s4 = K4.exact(step4);
                Object f4 = K4.function(s4);
                Object s5 = K5.exact(step5);
                Object f5 = K5.function(s5);
                Object s6 = K6.exact(step6);
                Object f6 = K6.function(s6);
                Object s7 = K7.exact(step7);
                Object f7 = K7.function(s7);
                Object s8 = K8.exact(step8);
                Object f8 = K8.function(s8);
                Object s9 = K9.exact(step9);
                Object f9 = K9.function(s9);
                Object s10 = K10.exact(step10);
                Object f10 = K10.function(s10);
                Object s11 = K11.exact(step11);
                Object f11 = K11.function(s11);
                Object s12 = K12.exact(step12);
                Object f12 = K12.function(s12);
                Object s13 = K13.exact(step13);
                Object f13 = K13.function(s13);
                Object s14 = K14.exact(step14);
                Object f14 = K14.function(s14);
                Object s15 = K15.exact(step15);
                Object f15 = K15.function(s15);
                Object s16 = K16.exact(step16);
                Object f16 = K16.function(s16);
                Object s17 = K17.exact(step17);
                Object f17 = K17.function(s17);
                Object s18 = K18.exact(step18);
                Object f18 = K18.function(s18);
                Object s19 = K19.exact(step19);
                Object f19 = K19.function(s19);
                Object s20 = K20.exact(step20);
                Object f20 = K20.function(s20);
                Object s21 = K21.exact(step21);
                Object f21 = K21.function(s21);
                Object s22 = K22.exact(step22);
                Object f22 = K22.function(s22);
                Object s23 = K23.exact(step23);
                Object f23 = K23.function(s23);
                Object s24 = K24.exact(step24);
                Object f24 = K24.function(s24);
                Object s25 = K25.exact(step25);
                Object f25 = K25.function(s25);
                Object s26 = K26.exact(step26);
                Object f26 = K26.function(s26);
                Object s27 = K27.exact(step27);
                Object f27 = K27.function(s27);
                Object s28 = K28.exact(step28);
                Object f28 = K28.function(s28);
                Object s29 = K29.exact(step29);
                Object f29 = K29.function(s29);
                Object s30 = K30.exact(step30);
                Object f30 = K30.function(s30);
                Object s31 = K31.exact(step31);
                Object f31 = K31.function(s31);
                at = SegmentRun.HEAD;
                if (!source.hasNext()) {
                    return EXHAUSTED;
                }
                Object passed = Step.given(source.next());
                taken++;
                at = 0;
                passed = K0.apply(s0, f0, passed, states, 0);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 1;
                passed = K1.apply(s1, f1, passed, states, 1);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 2;
                passed = K2.apply(s2, f2, passed, states, 2);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 3;
                passed = K3.apply(s3, f3, passed, states, 3);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 4;
                passed = K4.apply(s4, f4, passed, states, 4);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 5;
                passed = K5.apply(s5, f5, passed, states, 5);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 6;
                passed = K6.apply(s6, f6, passed, states, 6);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 7;
                passed = K7.apply(s7, f7, passed, states, 7);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 8;
                passed = K8.apply(s8, f8, passed, states, 8);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 9;
                passed = K9.apply(s9, f9, passed, states, 9);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 10;
                passed = K10.apply(s10, f10, passed, states, 10);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 11;
                passed = K11.apply(s11, f11, passed, states, 11);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 12;
                passed = K12.apply(s12, f12, passed, states, 12);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 13;
                passed = K13.apply(s13, f13, passed, states, 13);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 14;
                passed = K14.apply(s14, f14, passed, states, 14);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 15;
                passed = K15.apply(s15, f15, passed, states, 15);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 16;
                passed = K16.apply(s16, f16, passed, states, 16);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 17;
                passed = K17.apply(s17, f17, passed, states, 17);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 18;
                passed = K18.apply(s18, f18, passed, states, 18);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 19;
                passed = K19.apply(s19, f19, passed, states, 19);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 20;
                passed = K20.apply(s20, f20, passed, states, 20);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 21;
                passed = K21.apply(s21, f21, passed, states, 21);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 22;
                passed = K22.apply(s22, f22, passed, states, 22);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 23;
                passed = K23.apply(s23, f23, passed, states, 23);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 24;
                passed = K24.apply(s24, f24, passed, states, 24);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 25;
                passed = K25.apply(s25, f25, passed, states, 25);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 26;
                passed = K26.apply(s26, f26, passed, states, 26);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 27;
                passed = K27.apply(s27, f27, passed, states, 27);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 28;
                passed = K28.apply(s28, f28, passed, states, 28);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 29;
                passed = K29.apply(s29, f29, passed, states, 29);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 30;
                passed = K30.apply(s30, f30, passed, states, 30);
                if (passed == Step.NOTHING) {
                    continue;
                }
                at = 31;
                passed = K31.apply(s31, f31, passed, states, 31);
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
