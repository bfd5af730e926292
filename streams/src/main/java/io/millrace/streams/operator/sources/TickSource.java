package io.millrace.streams.operator.sources;

import io.millrace.streams.engine.failure.NotNull;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Emits the same element after an initial delay and then once per period; a tick that nobody has asked for is left
 * out. Gives back what completes it.
 */
public final class TickSource<O> extends GraphStageWithMaterializedValue<SourceShape<O>, Disposable> {
    private static final String TIMER = "tick";

    private final Outlet<O> out = Outlet.create("tick.out");
    private final SourceShape<O> shape = SourceShape.of(out);
    private final Duration initialDelay;
    private final Duration period;
    private final O element;

    public TickSource(Duration initialDelay, Duration period, O element) {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("the period of ticks must be longer than zero, not " + period);
        }
        this.initialDelay = Objects.requireNonNull(initialDelay, "initialDelay");
        this.period = period;
        this.element = NotNull.checked(element, "tick", "the element is null");
    }

    @Override
    public SourceShape<O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "tick";
    }

    @Override
    public LogicAndValue<Disposable> createLogicAndValue(Attributes inherited) {
        Logic logic = new Logic();
        return new LogicAndValue<>(logic, logic.ticks);
    }

    /** Ends the ticks, from any thread; they also end with the stream. */
    private static final class Ticks implements Disposable {
        private final AtomicBoolean ended = new AtomicBoolean();
        private final AsyncCallback<Boolean> end;

        Ticks(AsyncCallback<Boolean> end) {
            this.end = end;
        }

        @Override
        public void dispose() {
            if (ended.compareAndSet(false, true)) {
                end.invoke(true);
            }
        }

        @Override
        public boolean isDisposed() {
            return ended.get();
        }
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final Ticks ticks = new Ticks(asyncCallback(disposed -> completeStage()));

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void preStart() {
            schedulePeriodically(TIMER, initialDelay, period);
        }

        @Override
        public void onPull() {
            // The next tick answers.
        }

        @Override
        public void onTimer(Object key) {
            if (isAvailable(out)) {
                push(out, element);
            }
        }

        @Override
        public void postStop() {
            ticks.ended.set(true);
        }
    }
}
