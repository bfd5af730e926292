package io.millrace.streams;

import io.millrace.streams.engine.island.Engine;
import io.millrace.streams.engine.plan.Blueprint;
import io.millrace.streams.engine.plan.Plan;
import io.millrace.streams.engine.plan.PlanCompiler;
import io.millrace.streams.failure.AbruptTerminationException;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.ClosedShape;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.inspect.RuntimeSnapshot;
import io.millrace.streams.schedule.Scheduler;
import io.millrace.streams.schedule.Schedulers;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Where streams run: threads, timers, and the streams themselves. Safe to use from any thread. */
public final class StreamRuntime implements Materializer, AutoCloseable {
    private final Engine engine;

    private StreamRuntime(RuntimeSettings settings, Scheduler scheduler) {
        engine = new Engine(this, settings, scheduler);
    }

    /** A runtime with the default settings. */
    public static StreamRuntime create() {
        return create(RuntimeSettings.defaults());
    }

    /** A runtime with these settings. */
    public static StreamRuntime create(RuntimeSettings settings) {
        return create(settings, Schedulers.eventLoops());
    }

    /** A runtime whose stages take time and timers from this scheduler, which it shuts down when it is closed. */
    public static StreamRuntime create(RuntimeSettings settings, Scheduler scheduler) {
        return new StreamRuntime(settings, scheduler);
    }

    /** The runtime of those who bring none: made when first used, with daemon threads, and not to be closed. */
    public static StreamRuntime shared() {
        return Shared.RUNTIME;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <M> M materialize(Graph<ClosedShape, M> graph) {
        return (M)
                run(graph instanceof RunnableGraph<M> kept ? kept.plan() : PlanCompiler.compile(Blueprint.of(graph)));
    }

    Object run(Plan plan) {
        return plan.run(engine);
    }

    /** What tells the failure reporter of a runtime. */
    static Consumer<StreamException> reporter(Materializer runtime) {
        return runtime instanceof StreamRuntime own ? own.engine::report : failure -> {};
    }

    /** What does something, on any thread, in the context that this thread has now, if the runtime carries contexts. */
    static Executor contextOfThisThread(Materializer runtime) {
        return runtime instanceof StreamRuntime own ? own.engine.contextOfThisThread() : Runnable::run;
    }

    /** What does one thing there, which begins a stream of this runtime, so that {@link #close(Duration)} waits for it. */
    static Executor expectingStream(Materializer runtime, Executor there) {
        return runtime instanceof StreamRuntime own ? own.engine.expectingStream(there) : there;
    }

    /** Refuses to wait on a thread that runs a stream of this runtime. */
    static void ensureMayWait(Materializer runtime) {
        if (runtime instanceof StreamRuntime own && own.isRunningHere()) {
            throw new IllegalStateException(
                    "this thread runs a stream of the runtime for whose elements it would wait, perhaps for"
                            + " ever; wait on another thread, or leave it to operators such as flatMapConcat");
        }
    }

    /** The scheduler that drives the timers of the stages; it ends with the runtime. */
    @Override
    public Scheduler scheduler() {
        return engine.scheduler();
    }

    /** Whether this thread runs one of its streams now: who waits there for another of them may wait for ever. */
    public boolean isRunningHere() {
        return engine.isRunningHere();
    }

    /** What is running now. */
    public RuntimeSnapshot snapshot() {
        return engine.snapshot();
    }

    /**
     * Refuses further runs, ends the running streams with an {@link AbruptTerminationException}, and waits for them as
     * long as the settings say; on a thread that runs a stream it does not wait. Any further call waits with the first one, unless that would wait for it. A
     * thread that streams need to end, as the only one of their executor, should not close: it waits for what it keeps from ending.
     *
     * <p>Streams whose executor runs turns on the calling thread, as {@code Runnable::run} does, or was shut down before, end on the thread that closes, one after the other. After
     * a quarter of the time it is interrupted in what holds it up there; the caller does not see that interrupt. While a stage heeds none, this call does not return,
     * nor are the runtime's threads told to end; but all futures fail in time, and what has not ended is reported.
     */
    @Override
    public void close() {
        requireOwn();
        engine.close();
    }

    /**
     * Closes once no stream runs, or when the grace is over. Until then graphs are run as before, as running streams may need it: who wants
     * them to end throws a {@link SharedKillSwitch} first. On a thread that runs a stream, and when interrupted, it does not wait.
     */
    public void close(Duration grace) {
        requireOwn();
        engine.close(grace);
    }

    private void requireOwn() {
        if (this == Shared.RUNTIME) {
            throw new IllegalStateException("the shared runtime cannot be closed; create one of your own");
        }
    }

    @Override
    public boolean isClosed() {
        return engine.isClosed();
    }

    /** Makes the shared runtime when it is first used. */
    private static final class Shared {
        private static final StreamRuntime RUNTIME =
                create(RuntimeSettings.defaults().withName("millrace-shared"));
    }
}
