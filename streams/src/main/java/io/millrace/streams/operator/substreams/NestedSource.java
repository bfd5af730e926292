package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.batch.BatchSource;
import io.millrace.streams.engine.failure.Described;
import io.millrace.streams.engine.island.Later;
import io.millrace.streams.engine.island.Promise;
import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.island.SubstreamInput;
import io.millrace.streams.engine.plan.ClosedGraph;
import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.failure.NeverMaterializedException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingBiFunction;
import io.millrace.streams.stage.AsyncCallback;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.GraphStageWithMaterializedValue;
import io.millrace.streams.stage.LogicAndValue;
import io.millrace.streams.stage.OutHandler;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Emits what another source emits, which is made when this one starts or, lazily, when it is first asked. It runs as a
 * stream of its own under the attributes of this one; its materialized value is a future here. Lazy sources at its end are
 * made here, too, each when the one before has ended, instead of inside of it.
 */
public final class NestedSource<O, M> extends GraphStageWithMaterializedValue<SourceShape<O>, CompletionStage<M>> {
    private static final int DEFAULT_WINDOW = 16;
    /** So many sources that emit nothing are made in one event at most. */
    private static final int MOST_AT_ONCE = 64;

    private final String name;
    private final boolean lazily;
    private final ThrowingBiFunction<Materializer, Attributes, Made<O, M>> factory;
    private final SourceShape<O> shape;

    public NestedSource(String name, boolean lazily, ThrowingBiFunction<Materializer, Attributes, Made<O, M>> factory) {
        this.name = name;
        this.lazily = lazily;
        this.factory = Objects.requireNonNull(factory, "factory");
        shape = SourceShape.of(Outlet.create(name + ".out"));
    }

    /**
     * What was made: a loop, or a source to be run, or neither, when it begins with the first of the parts; and the parts
     * that come after it.
     */
    public record Made<O, M>(
            InnerSource.@Nullable Loop<O> loop, @Nullable Graph<SourceShape<O>, M> run, Deque<Part<O>> parts) {}

    /** A lazy source inside of another, and the attributes that it has there. */
    public record Part<O>(NestedSource<O, ?> source, Attributes own) {}

    /** Whether it is made when first asked. */
    public boolean isLazy() {
        return lazily;
    }

    @Override
    public SourceShape<O> shape() {
        return shape;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public LogicAndValue<CompletionStage<M>> createLogicAndValue(Attributes inherited) {
        Logic<O> logic = new Logic<>(this, inherited);
        @SuppressWarnings("unchecked")
        CompletionStage<M> value = (CompletionStage<M>) logic.value.future();
        return new LogicAndValue<>(logic, value);
    }

    /** A part whose turn will come; its value is a future that somebody may hold. */
    private record Due<O>(NestedSource<O, ?> source, Attributes attributes, Promise<Object> value) {
        /** Why there is no value. */
        String never(String why) {
            return "the source inside " + source.name + " " + why;
        }
    }

    private static final class Logic<O> extends GraphStageLogic
            implements OutHandler, BatchSource, ActiveSubstream.Listener<O> {
        private final NestedSource<O, ?> stage;
        private final Deque<Due<O>> due = new ArrayDeque<>(2);
        private final AsyncCallback<NotUsed> again = asyncCallback(nothing -> serve());
        private final Promise<Object> value = StageContext.of(this).detachablePromise();
        private @Nullable ActiveSubstream<O> current;
        private @Nullable Throwable cancellation;
        private final Later later = new Later(this, this::serve);

        Logic(NestedSource<O, ?> stage, Attributes inherited) {
            super(stage.shape);
            this.stage = stage;
            due.push(new Due<>(stage, inherited, value));
            setHandler(stage.shape.out(), this);
        }

        @Override
        public void preStart() {
            if (stage.lazily) {
                return;
            }
            try {
                begin(due.pop());
                serve();
            } catch (Throwable failure) {
                failStage(failure);
            }
        }

        @Override
        public void onPull() throws Exception {
            serve();
        }

        @Override
        public void onDownstreamFinish(Throwable cause) {
            cancellation = cause instanceof DownstreamFinished ? null : cause;
            cancelStage(cause);
        }

        @Override
        public void onSignal(ActiveSubstream<O> inner) throws Exception {
            if (inner == current) {
                serve();
            }
        }

        @Override
        public void postStop() {
            Throwable failure = StageContext.of(this).failure();
            for (Due<O> next : due) {
                next.value.future().completeExceptionally(neverMade(next, failure == null ? cancellation : failure));
            }
        }

        private static NeverMaterializedException neverMade(Due<?> next, @Nullable Throwable failure) {
            return failure == null
                    ? new NeverMaterializedException(
                            next.never("was never made: the stream ended before it was needed"))
                    : new NeverMaterializedException(
                            next.never(
                                    "was never made: the stream failed before it was needed: " + Described.of(failure)),
                            failure);
        }

        /** What the source that runs has, if it makes its elements here; whether it has ended is looked at afterwards. */
        @Override
        public @Nullable Iterator<?> openBatch() {
            ActiveSubstream<O> running = current;
            return running == null || !running.asksUser()
                    ? null
                    : new Iterator<O>() {
                        @Override
                        public boolean hasNext() {
                            return running.hasNext();
                        }

                        @Override
                        public O next() {
                            return running.next();
                        }
                    };
        }

        @Override
        public void closeBatch(int count, @Nullable Throwable thrown) throws Throwable {
            if (thrown != null) {
                throw thrown;
            }
            later.ask();
        }

        /** Emits what is there, and makes what comes next when it is asked for. */
        private void serve() throws Exception {
            int made = 0;
            while (current != null || !due.isEmpty()) {
                if (current != null && !pass(current)) {
                    return;
                }
                if (current == null && !due.isEmpty()) {
                    if (!isAvailable(stage.shape.out())) {
                        return;
                    }
                    if (made == MOST_AT_ONCE || StageContext.of(this).isTurnLong()) {
                        again.invoke(NotUsed.NOT_USED);
                        return;
                    }
                    made++;
                    begin(due.pop());
                }
            }
            completeStage();
        }

        /** Emits an element of the source that runs; whether there may be something to do at once. */
        private boolean pass(ActiveSubstream<O> running) {
            if (running.hasNext()) {
                boolean wanted = isAvailable(stage.shape.out());
                if (wanted) {
                    push(stage.shape.out(), running.next());
                }
                if (wanted && running.asksUser()) {
                    later.ask();
                    return false;
                }
                return wanted;
            }
            if (!running.isOver()) {
                return false;
            }
            current = null;
            running.cancel(new DownstreamFinished());
            Throwable failure = running.failure();
            if (failure != null) {
                StageContext.of(this).passFailure(failure);
            }
            return failure == null;
        }

        private void begin(Due<O> next) throws Exception {
            try {
                begin(next, next.source.factory.apply(materializer(), next.attributes));
            } catch (Throwable failure) {
                next.value
                        .future()
                        .completeExceptionally(new NeverMaterializedException(
                                next.never("could not be made: " + Described.of(failure)), failure));
                throw failure;
            }
        }

        private void begin(Due<O> next, Made<O, ?> made) throws Exception {
            Object madeValue = NotUsed.NOT_USED;
            if (made.loop() != null) {
                current = new ActiveSubstream.Looping<>(elements(made.loop()));
            } else if (made.run() != null) {
                madeValue = run(made.run(), next.attributes);
            }
            Deque<Part<O>> parts = made.parts();
            while (!parts.isEmpty()) {
                Part<O> last = parts.removeLast();
                due.push(new Due<>(
                        last.source,
                        next.attributes.and(last.own),
                        StageContext.of(this).detachablePromise()));
            }
            next.value.future().complete(current == null ? due.element().value.future() : madeValue);
            next.value.detach();
        }

        @SuppressWarnings("unchecked")
        private Iterator<? extends O> elements(InnerSource.Loop<O> loop) throws Exception {
            return (Iterator<? extends O>) loop.origin().newIterator();
        }

        private <M> M run(Graph<SourceShape<O>, M> source, Attributes attributes) {
            int window = attributes
                    .find(Attributes.InputBuffer.class)
                    .map(Attributes.InputBuffer::elements)
                    .orElse(DEFAULT_WINDOW);
            ActiveSubstream.Running<O> inner = new ActiveSubstream.Running<>();
            SubstreamInput<O> inflow = SubstreamInput.open(this, stage.name, window, signal -> onSignal(inner));
            inner.runsInto(inflow);
            M value = ClosedGraph.ofSource(source, attributes, inflow.stage()).runInside(this);
            current = inner;
            return value;
        }
    }
}
