package io.millrace.streams.stage;

import io.millrace.streams.failure.DownstreamFinished;
import io.millrace.streams.graph.Inlet;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.Shape;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One stage of one run: its handlers and its mutable state. Everything in it runs in one island, one call at a time,
 * so its fields need no locks. Set a handler for each port in the constructor; ports work from {@link #preStart} on.
 *
 * <p>The stage stops when all its ports are closed, unless {@link #setKeepGoing} says otherwise. Calls on a port that
 * are out of turn throw an IllegalStateException that names stage and port.
 */
public abstract class GraphStageLogic {
    final StageBinding binding;

    @SuppressWarnings("this-escape") // the engine only keeps the reference until the stage is started
    protected GraphStageLogic(Shape shape) {
        binding = ThreadScope.bind(this, shape);
    }

    /** Of the engine's own, which knows what binds it. */
    @SuppressWarnings("this-escape")
    protected GraphStageLogic(Shape shape, StageScope scope) {
        binding = scope.bind(this, shape);
    }

    /** Called once before any handler; what it throws fails the stream. */
    public void preStart() throws Exception {}

    /** Called exactly once when the stage has stopped, also when the stream could not be started. */
    public void postStop() throws Exception {}

    /** Named numbers for snapshots; called by any thread while the stage runs, so they are as of about now. */
    public Map<String, Long> detail() {
        return Map.of();
    }

    /** Sets what happens on the inlet's signals, from the next one on. */
    protected final void setHandler(Inlet<?> in, InHandler handler) {
        binding.setHandler(in, handler);
    }

    /** Sets what happens on the outlet's signals, from the next one on. */
    protected final void setHandler(Outlet<?> out, OutHandler handler) {
        binding.setHandler(out, handler);
    }

    /** Sets what happens on the signals of both ports, from the next one on. */
    protected final <H extends InHandler & OutHandler> void setHandlers(Inlet<?> in, Outlet<?> out, H both) {
        binding.setHandler(in, both);
        binding.setHandler(out, both);
    }

    /** Asks for one element. */
    protected final void pull(Inlet<?> in) {
        binding.pull(in);
    }

    /** Asks for one element unless the inlet is closed or has been asked already. */
    protected final void tryPull(Inlet<?> in) {
        binding.tryPull(in);
    }

    /** Whether an element was asked for and has not come yet. */
    protected final boolean hasBeenPulled(Inlet<?> in) {
        return binding.hasBeenPulled(in);
    }

    /** Takes the element that has come; it can be taken once. */
    protected final <T> T grab(Inlet<T> in) {
        return binding.grab(in);
    }

    /** Whether there is an element to grab. */
    protected final boolean isAvailable(Inlet<?> in) {
        return binding.isAvailable(in);
    }

    protected final boolean isClosed(Inlet<?> in) {
        return binding.isClosed(in);
    }

    /** Tells upstream that no more is wanted; an element that was not grabbed is dropped. */
    protected final void cancel(Inlet<?> in) {
        binding.cancel(in, new DownstreamFinished());
    }

    /** Tells upstream that no more is wanted, and why; an element that was not grabbed is dropped. */
    protected final void cancel(Inlet<?> in, Throwable cause) {
        binding.cancel(in, Objects.requireNonNull(cause, "cause"));
    }

    /** Sends an element downstream, which must have asked for it; null is not allowed. */
    protected final <T> void push(Outlet<T> out, T element) {
        binding.push(out, element);
    }

    /** Whether downstream has asked for an element. */
    protected final boolean isAvailable(Outlet<?> out) {
        return binding.isAvailable(out);
    }

    protected final boolean isClosed(Outlet<?> out) {
        return binding.isClosed(out);
    }

    /** Completes downstream, after what was pushed and emitted before. */
    protected final void complete(Outlet<?> out) {
        binding.complete(out);
    }

    /** Fails downstream, after what was pushed before; what waits to be emitted is dropped. */
    protected final void fail(Outlet<?> out, Throwable failure) {
        binding.fail(out, Objects.requireNonNull(failure, "failure"));
    }

    /** Pushes the element now, or as soon as downstream asks; the outlet's handler rests until then. */
    protected final <T> void emit(Outlet<T> out, T element) {
        binding.emit(out, element, null);
    }

    /** Pushes the element now, or as soon as downstream asks, and then runs the action; not if it is dropped before, as by a failure or downstream's end. */
    protected final <T> void emit(Outlet<T> out, T element, Runnable andThen) {
        binding.emit(out, element, andThen);
    }

    /** Pushes the elements as downstream asks, each on its way before the iterator is asked for the next; the outlet's handler rests until then. */
    protected final <T> void emitAll(Outlet<T> out, Iterator<? extends T> elements) {
        binding.emitAll(out, elements, null);
    }

    /** Pushes the elements as downstream asks, and runs the action right after the last push; the iterator is asked for the next right after each. No action is run if elements
     * are dropped before, as by a failure, the iterator's too, or downstream's end. */
    protected final <T> void emitAll(Outlet<T> out, Iterator<? extends T> elements, Runnable andThen) {
        binding.emitAll(out, elements, andThen);
    }

    /** Cancels all inlets and completes all outlets. */
    protected final void completeStage() {
        binding.completeStage();
    }

    /** Cancels all inlets and fails all outlets. */
    protected final void failStage(Throwable failure) {
        binding.failStage(Objects.requireNonNull(failure, "failure"));
    }

    /** Cancels all inlets with this cause and completes all outlets. */
    protected final void cancelStage(Throwable cause) {
        binding.cancelStage(Objects.requireNonNull(cause, "cause"));
    }

    /** Whether the stage lives on when all its ports are closed, until {@code setKeepGoing(false)}. */
    protected final void setKeepGoing(boolean enabled) {
        binding.setKeepGoing(enabled);
    }

    /** A way into this stage for other threads; may be called in the constructor and handed out at once. */
    protected final <T> AsyncCallback<T> asyncCallback(StageConsumer<T> handler) {
        return binding.asyncCallback(handler);
    }

    /**
     * The address of this stage: the same one on every call, a later call swaps what is done with messages from the
     * next one on. May be called in the constructor and handed out at once.
     */
    protected final <T> StageActorRef<T> stageActor(StageConsumer<T> handler) {
        return stageActor(handler, null);
    }

    /** As {@link #stageActor(StageConsumer)}, with a bound on the messages that wait; the first call sets it. */
    protected final <T> StageActorRef<T> stageActor(StageConsumer<T> handler, @Nullable MailboxLimit limit) {
        return binding.stageActor(handler, limit);
    }

    /** Calls {@link #onTimer} with the key after the delay; replaces the timer of that key. */
    protected final void scheduleOnce(Object key, Duration delay) {
        binding.scheduleOnce(key, delay);
    }

    /**
     * Calls {@link #onTimer} with the key after the initial delay and then once per period, which is longer than zero; replaces
     * its timer.
     */
    protected final void schedulePeriodically(Object key, Duration initial, Duration period) {
        binding.schedulePeriodically(key, initial, period);
    }

    /** After this call the timer of the key does not fire any more. */
    protected final void cancelTimer(Object key) {
        binding.cancelTimer(key);
    }

    protected final boolean isTimerActive(Object key) {
        return binding.isTimerActive(key);
    }

    /** The time on the runtime's clock, in nanoseconds from a start of its own; from {@link #preStart} on. */
    protected final long nowNanos() {
        return binding.materializer().scheduler().nowNanos();
    }

    /** Called when the timer of the key is due. */
    public void onTimer(Object key) throws Exception {
        throw new IllegalStateException("timer " + key + " is due, but onTimer is not overridden");
    }

    /**
     * For {@link #postStop} of a stage that was ended by force: what ended it, be it the failure of its own or that of its
     * stream, or else an {@link io.millrace.streams.failure.AbruptTerminationException}.
     */
    protected final Throwable abruptEnd() {
        return binding.abruptEnd();
    }

    /**
     * A future to give out as materialized value: the runtime fails it when the stage stops before completing it, with
     * what the stage failed with, or else an {@link io.millrace.streams.failure.AbruptTerminationException}.
     */
    protected final <T> CompletableFuture<T> promise() {
        return binding.promise();
    }

    /** The runtime in which this stage runs, for graphs that it runs itself; from {@link #preStart} on. */
    protected final Materializer materializer() {
        return binding.materializer();
    }

    /** A new inlet, besides those of the shape, into which another stream can be run. */
    protected final <T> SubSinkInlet<T> subSinkInlet(String name) {
        return binding.subSinkInlet(name);
    }

    /**
     * A new outlet, besides those of the shape, from which another stream can be run; it waits for that as long as it
     * takes. It has room for so many elements, at least 1.
     */
    protected final <T> SubSourceOutlet<T> subSourceOutlet(String name, int capacity) {
        return binding.subSourceOutlet(name, capacity);
    }
}
