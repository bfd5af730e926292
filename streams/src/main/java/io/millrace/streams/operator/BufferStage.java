package io.millrace.streams.operator;

import io.millrace.streams.Attributes;
import io.millrace.streams.BufferOverflowException;
import io.millrace.streams.OverflowStrategy;
import io.millrace.streams.stage.GraphStageLogic;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/** Holds elements that downstream has not asked for yet. */
public final class BufferStage<T> extends LinearStage<T, T> {
    private final int capacity;
    private final OverflowStrategy strategy;

    public BufferStage(int capacity, OverflowStrategy strategy) {
        super("buffer");
        if (capacity < 1) {
            throw new IllegalArgumentException("the capacity of a buffer must be at least 1, not " + capacity);
        }
        this.capacity = capacity;
        this.strategy = Objects.requireNonNull(strategy, "strategy");
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new BufferLogic();
    }

    private final class BufferLogic extends Logic<T, T> {
        private final Deque<T> buffer = new ArrayDeque<>();

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
            } else if (buffer.size() < capacity) {
                buffer.add(element);
            } else {
                overflow(element);
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
            if (buffer.size() < capacity || strategy != OverflowStrategy.BACKPRESSURE) {
                tryPull(in);
            }
        }

        private void overflow(T element) {
            switch (strategy) {
                case BACKPRESSURE -> throw new IllegalStateException("a full buffer has asked for an element");
                case DROP_HEAD -> {
                    buffer.removeFirst();
                    buffer.add(element);
                }
                case DROP_TAIL -> {
                    buffer.removeLast();
                    buffer.add(element);
                }
                case DROP_NEW -> {}
                case DROP_BUFFER -> {
                    buffer.clear();
                    buffer.add(element);
                }
                case FAIL ->
                    failStage(new BufferOverflowException("the buffer is full with " + capacity + " elements"));
            }
        }
    }
}
