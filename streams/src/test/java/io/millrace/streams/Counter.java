package io.millrace.streams;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;
import org.jspecify.annotations.Nullable;

/** A stream of 0, 1, 2 and so on, endless or up to a limit, where it completes or fails. */
final class Counter extends GraphStage<SourceShape<Long>> {
    private final Outlet<Long> out = Outlet.create("counter.out");
    private final SourceShape<Long> shape = SourceShape.of(out);
    private final long limit;
    private final @Nullable Throwable failure;

    Counter() {
        this(Long.MAX_VALUE, null);
    }

    Counter(long limit, @Nullable Throwable failure) {
        this.limit = limit;
        this.failure = failure;
    }

    @Override
    public SourceShape<Long> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private long following;

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void onPull() {
            push(out, following++);
            if (following == limit && failure != null) {
                failStage(failure);
            } else if (following == limit) {
                completeStage();
            }
        }
    }
}
