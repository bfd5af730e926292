package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.plan.ClosedGraph;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.operator.timing.IdleTimer;
import io.millrace.streams.schedule.Durations;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.SubSinkInlet;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Goes on with another source, which is run then, when an element that was asked for does not come in time. */
public final class TimeoutFallbackStage<T> extends LinearStage<T, T> {
    private static final String TIMER = "look";

    private final Duration timeout;
    private final Graph<? extends SourceShape<? extends T>, ?> fallback;

    public TimeoutFallbackStage(Duration timeout, Graph<? extends SourceShape<? extends T>, ?> fallback) {
        super("timeout");
        this.timeout = Durations.positive("timeout", timeout);
        this.fallback = Objects.requireNonNull(fallback, "fallback");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new FallbackLogic(inherited);
    }

    private final class FallbackLogic extends Logic<T, T> {
        private final Attributes inherited;
        private @Nullable IdleTimer patience;
        private @Nullable SubSinkInlet<T> second;

        FallbackLogic(Attributes inherited) {
            super(TimeoutFallbackStage.this);
            this.inherited = inherited;
        }

        @Override
        public void preStart() {
            patience = new IdleTimer(timeout, true, nowNanos());
            schedulePeriodically(TIMER, IdleTimer.betweenLooks(timeout), IdleTimer.betweenLooks(timeout));
        }

        @Override
        public void onPush() {
            Objects.requireNonNull(patience).countElement();
            push(out, grab(in));
        }

        @Override
        public void onPull() {
            if (second == null) {
                pull(in);
            } else {
                second.pull();
            }
        }

        @Override
        public void onTimer(Object key) {
            if (Objects.requireNonNull(patience).isOver(isAvailable(out), nowNanos())) {
                cancelTimer(TIMER);
                cancel(in);
                goOnWith(subSinkInlet("timeout.fallback"));
            }
        }

        private void goOnWith(SubSinkInlet<T> inlet) {
            second = inlet;
            inlet.setHandler((InHandler) () -> push(out, inlet.grab()));
            inlet.pull();
            ClosedGraph.ofSource(fallback, inherited, inlet.sink()).runInside(this);
        }
    }
}
