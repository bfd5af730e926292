package io.millrace.streams.operator.timing;

import io.millrace.streams.failure.BufferOverflowException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.OverflowStrategy;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.Objects;

/** Holds elements that downstream has not asked for yet. */
public final class BufferStage<T> extends LinearStage<T, T> {
    private final int capacity;
    private final OverflowStrategy strategy;

    public BufferStage(int capacity, OverflowStrategy strategy) {
        super("buffer");
        this.capacity = BoundedBuffer.checkedCapacity(capacity);
        this.strategy = Objects.requireNonNull(strategy, "strategy");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new BufferLogic();
    }

    private final class BufferLogic extends Logic<T, T> {
        private final BoundedBuffer<T> buffer = new BoundedBuffer<>(capacity, strategy);

        BufferLogic() {
            super(BufferStage.this);
        }

        @Override
        public void preStart() {
            pull(in);
        }

        @Override
        public void onPush() {
            T element = grab(in);
            if (isAvailable(out)) {
                push(out, element);
            } else {
                BufferOverflowException overflow = buffer.add(element);
                if (overflow != null) {
                    failStage(overflow);
                }
            }
            pullIfAllowed();
        }

        @Override
        public void onPull() {
            T element = buffer.poll();
            if (element != null) {
                push(out, element);
            }
            if (isClosed(in) && buffer.isEmpty()) {
                completeStage();
            } else {
                pullIfAllowed();
            }
        }

        @Override
        public void onUpstreamFinish() {
            if (buffer.isEmpty()) {
                completeStage();
            }
        }

        private void pullIfAllowed() {
            if (buffer.takesMore()) {
                tryPull(in);
            }
        }
    }
}
