package io.millrace.streams.operator.failures;

import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Backoff;
import io.millrace.streams.graph.BidiShape;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Stands around a flow and gives it one element at a time, or another in its place for as long as what the flow made of it will not do. */
public final class RetryingStage<I, O> extends GraphStage<BidiShape<I, I, O, O>> {
    private static final String TIMER = "again";

    private final BidiShape<I, I, O, O> shape = BidiShape.of(
            Inlet.create("retrying.in"),
            Outlet.create("retrying.toFlow"),
            Inlet.create("retrying.fromFlow"),
            Outlet.create("retrying.out"));

    private final int maxRetries;
    private final Backoff backoff;
    private final ThrowingBiFunction<? super I, ? super O, Optional<I>> again;

    public RetryingStage(int maxRetries, Backoff backoff, ThrowingBiFunction<? super I, ? super O, Optional<I>> again) {
        if (maxRetries < 1) {
            throw new IllegalArgumentException("maxRetries must be at least 1, not " + maxRetries);
        }
        this.maxRetries = maxRetries;
        this.backoff = Objects.requireNonNull(backoff, "backoff");
        this.again = Objects.requireNonNull(again, "again");
    }

    @Override
    public BidiShape<I, I, O, O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "retrying";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new RetryingLogic();
    }

    private final class RetryingLogic extends GraphStageLogic {
        private final Inlet<I> in = shape.in1();
        private final Outlet<I> toFlow = shape.out1();
        private final Inlet<O> fromFlow = shape.in2();
        private final Outlet<O> out = shape.out2();
        private final RandomGenerator random = backoff.newRandom();
        /** What the flow has or is to have next. */
        private @Nullable I element;
        /** What it made of the element before, while that waits to be given to it. */
        private @Nullable O last;

        private int retries;

        RetryingLogic() {
            super(shape);
            setHandler(in, new Elements());
            setHandler(toFlow, new Inside());
            setHandler(fromFlow, new Results());
            setHandler(out, new Demand());
        }

        private final class Elements implements InHandler {
            @Override
            public void onPush() {
                element = grab(in);
                retries = 0;
                push(toFlow, element);
            }

            @Override
            public void onUpstreamFinish() {
                if (element == null) {
                    complete(toFlow);
                }
            }
        }

        private final class Inside implements OutHandler {
            @Override
            public void onPull() {
                if (element == null) {
                    pullNext();
                } else if (last != null && !isTimerActive(TIMER)) {
                    giveAgain();
                }
            }

            /** What the flow has taken may still come out of it. */
            @Override
            public void onDownstreamFinish(Throwable cause) {
                cancel(in, cause);
                if (last != null) {
                    cancelTimer(TIMER);
                    emitResult(last);
                }
            }
        }

        private final class Results implements InHandler {
            @Override
            public void onPush() throws Exception {
                O result = grab(fromFlow);
                if (element == null || last != null) {
                    failStage(new IllegalStateException("retrying: the flow must emit one element for each that it is"
                            + " given, and has emitted " + result + " without one"));
                    return;
                }
                Optional<I> next = retries == maxRetries || isClosed(toFlow)
                        ? Optional.empty()
                        : Step.required(again.apply(element, result), name());
                if (next.isEmpty()) {
                    emitResult(result);
                } else {
                    element = next.get();
                    last = result;
                    waitAndGiveAgain();
                }
            }

            @Override
            public void onUpstreamFinish() {
                if (element == null) {
                    completeStage();
                } else if (last != null) {
                    push(out, last);
                    completeStage();
                } else {
                    failStage(new IllegalStateException("retrying: the flow must emit one element for each that it is"
                            + " given, and has completed without one for " + element));
                }
            }
        }

        private final class Demand implements OutHandler {
            @Override
            public void onPull() {
                tryPull(fromFlow);
                pullNext();
            }
        }

        private void pullNext() {
            if (isAvailable(toFlow) && isAvailable(out)) {
                tryPull(in);
            }
        }

        private void waitAndGiveAgain() {
            tryPull(fromFlow);
            Duration delay = backoff.after(retries, random);
            retries++;
            if (!delay.isZero()) {
                scheduleOnce(TIMER, delay);
            } else if (isAvailable(toFlow)) {
                giveAgain();
            }
        }

        @Override
        public void onTimer(Object key) {
            if (isAvailable(toFlow)) {
                giveAgain();
            }
        }

        private void giveAgain() {
            last = null;
            push(toFlow, Objects.requireNonNull(element));
        }

        private void emitResult(O result) {
            element = null;
            last = null;
            push(out, result);
            if (isClosed(in)) {
                complete(toFlow);
            }
        }
    }
}
