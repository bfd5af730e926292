package io.millrace.streams;

import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.SinkShape;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.LogicAndValue;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The end of a stream that a test asks by hand, and that records what came. */
final class Probe<T> {
    static final long ALL = Long.MAX_VALUE;

    private final List<T> received = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Done> ended = new CompletableFuture<>();
    private final Logic<T> logic;

    private Probe(Logic<T> logic) {
        this.logic = logic;
    }

    static <T> Sink<T, Probe<T>> sink() {
        return Sink.fromGraph(new Stage<>());
    }

    /** Runs a source into a new probe. */
    static <T> Probe<T> of(Source<T, ?> source, StreamRuntime runtime) {
        return source.runWith(sink(), runtime);
    }

    Probe<T> request(long more) {
        logic.inIsland.invoke(() -> logic.request(more));
        return this;
    }

    void cancel() {
        logic.inIsland.invoke(logic::cancelNow);
    }

    List<T> received() {
        return received;
    }

    /** What came, once it is so many. */
    List<T> awaitReceived(int count) {
        Await.until(() -> count + " elements, but got " + received, () -> received.size() >= count);
        return List.copyOf(received);
    }

    List<T> awaitCompletion() throws Exception {
        ended.get(20, TimeUnit.SECONDS);
        return List.copyOf(received);
    }

    Throwable awaitFailure() throws Exception {
        return ended.<Throwable>handle((done, failure) -> failure == null ? new AssertionError("completed") : failure)
                .get(20, TimeUnit.SECONDS);
    }

    boolean hasEnded() {
        return ended.isDone();
    }

    private static final class Stage<T> extends GraphStageWithMaterializedValue<SinkShape<T>, Probe<T>> {
        private final SinkShape<T> shape = SinkShape.of(Inlet.create("probe.in"));

        @Override
        public SinkShape<T> shape() {
            return shape;
        }

        @Override
        public LogicAndValue<Probe<T>> createLogicAndValue(Attributes inherited) {
            Logic<T> logic = new Logic<>(shape);
            return new LogicAndValue<>(logic, logic.probe);
        }
    }

    private static final class Logic<T> extends GraphStageLogic implements InHandler {
        private final Inlet<T> in;
        private final AsyncCallback<Runnable> inIsland = asyncCallback(Runnable::run);
        private final Probe<T> probe = new Probe<>(this);
        private long demand;

        Logic(SinkShape<T> shape) {
            super(shape);
            this.in = shape.in();
            setHandler(in, this);
        }

        void request(long more) {
            demand = Math.addExact(demand, Math.min(more, Long.MAX_VALUE - demand));
            pullIfWanted();
        }

        private void pullIfWanted() {
            if (demand > 0 && !hasBeenPulled(in) && !isClosed(in)) {
                demand--;
                pull(in);
            }
        }

        void cancelNow() {
            completeStage();
        }

        @Override
        public void onPush() {
            probe.received.add(grab(in));
            pullIfWanted();
        }

        @Override
        public void onUpstreamFinish() {
            probe.ended.complete(Done.DONE);
            completeStage();
        }

        @Override
        public void onUpstreamFailure(Throwable failure) {
            probe.ended.completeExceptionally(failure);
            completeStage();
        }

        @Override
        public void postStop() {
            probe.ended.completeExceptionally(new AbruptTerminationException("the probe was stopped"));
        }
    }
}
