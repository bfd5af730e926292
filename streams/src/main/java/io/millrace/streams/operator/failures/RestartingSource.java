package io.millrace.streams.operator.failures;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.RestartSettings;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingSupplier;
import io.millrace.streams.operator.SourceStage;
import io.millrace.streams.operator.substreams.RelayLogic;
import io.millrace.streams.stage.GraphStageLogic;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Emits what a source emits, and makes and runs a new one each time that ends. */
public final class RestartingSource<O> extends SourceStage<O> {
    private final RestartSettings settings;
    private final ThrowingSupplier<? extends Graph<SourceShape<O>, ?>> factory;

    public RestartingSource(RestartSettings settings, ThrowingSupplier<? extends Graph<SourceShape<O>, ?>> factory) {
        super("restarting");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.factory = Objects.requireNonNull(factory, "factory");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new RestartLogic(inherited);
    }

    private final class RestartLogic extends RelayLogic<O> {
        private final RestartCount count = new RestartCount(settings);

        RestartLogic(Attributes inherited) {
            super(shape(), shape().out(), inherited);
            setHandler(shape().out(), this);
        }

        @Override
        public void preStart() {
            try {
                start();
            } catch (Throwable failure) {
                failStage(failure);
            }
        }

        private void start() throws Exception {
            relay(() -> {
                count.started(nowNanos());
                return factory.make();
            });
        }

        @Override
        protected void onRelayFinish() throws Exception {
            restart(null);
        }

        @Override
        protected void onRelayFailure(Throwable failure) throws Exception {
            restart(failure);
        }

        private void restart(@Nullable Throwable failure) throws Exception {
            Optional<Duration> wait = count.afterEnd(failure, nowNanos());
            if (wait.isPresent()) {
                scheduleOnce(this, wait.get());
            } else if (failure == null) {
                completeStage();
            } else {
                StageContext.of(this).passFailure(failure);
            }
        }

        @Override
        protected void onOwnTimer() throws Exception {
            onceReleased(this::start);
        }
    }
}
