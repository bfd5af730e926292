package io.millrace.streams.operator.timing;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.failure.RateExceededException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.ThrottleMode;
import io.millrace.streams.graph.ThrowingToLongFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.operator.Weighing;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.GraphStageLogic;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets elements through at a rate, by the tokens of a bucket. */
public final class ThrottleStage<T> extends LinearStage<T, T> {
    private static final String TIMER = "throttle";

    private final long cost;
    private final Duration per;
    private final long maximumBurst;
    private final Weighing<T> costs;
    private final ThrottleMode mode;

    public ThrottleStage(
            long cost, Duration per, long maximumBurst, ThrowingToLongFunction<? super T> costOf, ThrottleMode mode) {
        super("throttle");
        this.cost = cost;
        this.per = Durations.positive("throttle", per);
        this.maximumBurst = maximumBurst;
        costs = new Weighing<>("throttle", Long.MAX_VALUE, costOf);
        this.mode = Objects.requireNonNull(mode, "mode");
        if (cost < 1 || cost > Durations.nanos(per)) {
            throw new IllegalArgumentException(
                    "throttle: the rate must be from 1 per duration to 1 per nanosecond, not " + cost + " in " + per);
        }
        if (maximumBurst < 1) {
            throw new IllegalArgumentException("throttle: the burst must be at least 1, not " + maximumBurst);
        }
    }

    /** As many as fall in a tenth of a second, so that a timer that is a little late costs no throughput; at least 1. */
    public static long burstFor(long elements, Duration per) {
        double perSecond = elements * 1e9 / Durations.nanos(Durations.positive("throttle", per));
        return Math.max(1, (long) (perSecond / 10));
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new ThrottleLogic(inherited);
    }

    private final class ThrottleLogic extends Logic<T, T> {
        private final Attributes inherited;
        private @Nullable TokenBucket bucket;
        private @Nullable T waiting;

        ThrottleLogic(Attributes inherited) {
            super(ThrottleStage.this);
            this.inherited = inherited;
        }

        @Override
        public void preStart() {
            bucket = new TokenBucket(cost, Durations.nanos(per), maximumBurst, nowNanos());
        }

        @Override
        public void onPush() throws Exception {
            T element = grab(in);
            long price;
            try {
                price = costs.weight(element);
            } catch (Exception failure) {
                if (!Verdict.dropsElement(inherited, failure)) {
                    throw failure;
                }
                tryPull(in);
                return;
            }
            long waitNanos = Objects.requireNonNull(bucket).take(price, nowNanos());
            if (waitNanos <= 0) {
                push(out, element);
            } else if (mode == ThrottleMode.ENFORCING) {
                failStage(new RateExceededException("throttle: more than " + cost + " in " + per
                        + " with a burst of " + maximumBurst + "; element " + element + " came "
                        + Duration.ofNanos(waitNanos) + " too early"));
            } else {
                waiting = element;
                scheduleOnce(TIMER, Duration.ofNanos(waitNanos));
            }
        }

        @Override
        public void onTimer(Object key) {
            T element = waiting;
            if (element != null) {
                waiting = null;
                push(out, element);
            }
            if (isClosed(in)) {
                completeStage();
            }
        }

        @Override
        public void onUpstreamFinish() {
            if (waiting == null) {
                completeStage();
            }
        }
    }
}
