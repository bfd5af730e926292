package io.millrace.streams.operator.sources;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.operator.SourceStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Fails at once. */
public final class FailedSource<O> extends SourceStage<O> {
    private final Throwable failure;

    public FailedSource(Throwable failure) {
        super("failed");
        this.failure = Objects.requireNonNull(failure, "failure");
    }

    /** What it fails with. */
    public Throwable failure() {
        return failure;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic<>(this) {
            @Override
            public void preStart() {
                StageContext.of(this).passFailure(failure);
            }

            @Override
            public void onPull() {
                throw new IllegalStateException("this source has ended before it was asked for an element");
            }
        };
    }
}
