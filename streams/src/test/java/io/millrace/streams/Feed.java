package io.millrace.streams;

import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A stream that a test feeds by hand, and that counts how often it was asked. */
final class Feed<T> {
    private final AtomicInteger pulls = new AtomicInteger();
    private final CompletableFuture<Throwable> cancelled = new CompletableFuture<>();
    private final AsyncCallback<Runnable> inIsland;
    private final Queue<T> elements = new ArrayDeque<>();
    private final Logic<T> logic;
    private boolean isCompleting;

    private Feed(Logic<T> logic) {
        this.logic = logic;
        this.inIsland = logic.inIsland;
    }

    static <T> Source<T, Feed<T>> source() {
        return Source.fromGraph(new Stage<>());
    }

    @SafeVarargs
    final Feed<T> send(T... more) {
        inIsland.invoke(() -> {
            for (T element : more) {
                elements.add(element);
            }
            logic.give();
        });
        return this;
    }

    void complete() {
        inIsland.invoke(() -> {
            isCompleting = true;
            logic.give();
        });
    }

    void fail(Throwable failure) {
        inIsland.invoke(() -> logic.failNow(failure));
    }

    int pulls() {
        return pulls.get();
    }

    CompletableFuture<Throwable> cancelled() {
        return cancelled;
    }

    private static final class Stage<T> extends GraphStageWithMaterializedValue<SourceShape<T>, Feed<T>> {
        private final SourceShape<T> shape = SourceShape.of(Outlet.create("feed.out"));

        @Override
        public SourceShape<T> shape() {
            return shape;
        }

        @Override
        public LogicAndValue<Feed<T>> createLogicAndValue(Attributes inherited) {
            Logic<T> logic = new Logic<>(shape);
            return new LogicAndValue<>(logic, logic.feed);
        }
    }

    private static final class Logic<T> extends GraphStageLogic implements OutHandler {
        private final Outlet<T> out;
        private final AsyncCallback<Runnable> inIsland = asyncCallback(Runnable::run);
        private final Feed<T> feed;

        Logic(SourceShape<T> shape) {
            super(shape);
            this.out = shape.out();
            this.feed = new Feed<>(this);
            setHandler(out, this);
        }

        @Override
        public void onPull() {
            feed.pulls.incrementAndGet();
            give();
        }

        void give() {
            if (isAvailable(out) && !feed.elements.isEmpty()) {
                push(out, feed.elements.remove());
            }
            if (feed.isCompleting && feed.elements.isEmpty()) {
                completeStage();
            }
        }

        void failNow(Throwable failure) {
            failStage(failure);
        }

        @Override
        public void onDownstreamFinish(@Nullable Throwable cause) {
            feed.cancelled.complete(cause == null ? new IllegalStateException("no cause") : cause);
            completeStage();
        }
    }
}
