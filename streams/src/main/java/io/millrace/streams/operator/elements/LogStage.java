package io.millrace.streams.operator.elements;

import io.millrace.streams.engine.failure.Described;
import io.millrace.streams.engine.island.Later;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.LogSettings;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lets everything through and logs it. */
public final class LogStage<T> extends LinearStage<T, T> {
    private final String label;
    private final LogSettings settings;

    public LogStage(String label, LogSettings settings) {
        super("log");
        this.label = Objects.requireNonNull(label, "name");
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new LogLogic();
    }

    private final class LogLogic extends Logic<T, T> {
        private Later.@Nullable Work end;

        LogLogic() {
            super(LogStage.this);
        }

        @Override
        public void onPush() {
            T element = grab(in);
            write(settings.element(), () -> "[" + label + "] element: " + element);
            push(out, element);
        }

        @Override
        public void onPull() {
            tryPull(in);
        }

        @Override
        public void onUpstreamFinish() {
            endWith(() -> {
                write(settings.finish(), () -> "[" + label + "] completed");
                completeStage();
            });
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            endWith(() -> {
                if (settings.failure() != Level.OFF) {
                    settings.logger().log(settings.failure(), () -> "[" + label + "] failed", failure);
                }
                failStage(failure);
            });
        }

        /** Does so once what was pushed before has arrived. */
        private void endWith(Later.Work how) {
            end = how;
            new Later(this, how).ask();
        }

        @Override
        public void onDownstreamFinish(Throwable cause) throws Exception {
            if (end != null) {
                end.run();
                return;
            }
            String why = cause instanceof DownstreamFinished ? "" : ": " + Described.of(cause);
            write(settings.finish(), () -> "[" + label + "] cancelled" + why);
            cancelStage(cause);
        }
    }

    /** The level that leaves something out is above all others for a logger, which would write it. */
    private void write(Level level, Supplier<String> line) {
        Logger logger = settings.logger();
        if (level != Level.OFF) {
            logger.log(level, line);
        }
    }
}
