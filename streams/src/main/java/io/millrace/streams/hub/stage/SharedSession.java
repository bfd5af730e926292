package io.millrace.streams.hub.stage;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.island.StreamRun;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Done;
import io.millrace.streams.schedule.Disposable;
import io.millrace.streams.schedule.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One run of a source that is shared: a hub, and upstream, which is run into it with the connection.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: all but the final fields: guarded by this.<br>
 * <b>States</b>: waiting -> connected by who connects; waiting or connected -> ended with upstream, by who disposes, or with
 * the last counted consumer.<br>
 * <b>Proved by</b>: SharingTest.
 */
public final class SharedSession<O> implements Disposable {
    private final BroadcastHubState<O> hub;
    private final Supplier<Executor> contexts;
    private final UnaryOperator<Executor> expecting;
    private final Consumer<BroadcastHubStage<O>> upstream;
    private final CompletableFuture<Done> released = new CompletableFuture<>();
    private CompletionStage<Done> beforeReleased = CompletableFuture.completedFuture(Done.DONE);
    private @Nullable Executor contextOfStart;
    private int consumerCount;
    private int arriving;
    private int countedConsumers;
    private boolean connected;
    private boolean begun;
    private boolean ended;

    /**
     * @param hub without a stage
     * @param contexts what does something later in the context of the thread that connects
     * @param expecting what does one thing there, and has the runtime expect that upstream begins with it
     * @param upstream runs the stream that ends in the hub; called once at most, perhaps in a stage of a consumer's
     */
    public SharedSession(
            BroadcastHubState<O> hub,
            Supplier<Executor> contexts,
            UnaryOperator<Executor> expecting,
            Consumer<BroadcastHubStage<O>> upstream) {
        this.hub = hub;
        this.contexts = contexts;
        this.expecting = expecting;
        this.upstream = upstream;
    }

    /**
     * Has it begin only once the session before it, which has ended, has let go of everything, or five seconds are over: it may not do
     * that by itself.
     *
     * @param timers measure them
     * @param reports is told why upstream cannot be made then
     */
    public void follow(SharedSession<O> before, Scheduler timers, Consumer<StreamException> reports) {
        CompletableFuture<Done> first = new CompletableFuture<>();
        Disposable longest = after(StreamRun.LONGEST_RELEASE, timers, () -> first.complete(Done.DONE));
        before.released().whenComplete((done, none) -> {
            longest.dispose();
            first.complete(Done.DONE);
        });
        CompletionStage<Done> awaited = first;
        synchronized (this) {
            arriving++;
            beforeReleased = awaited;
        }
        awaited.whenComplete((done, none) -> arrived(notMade -> {
            reports.accept(notMade);
            return causeOf(notMade);
        }));
    }

    private static Disposable after(Duration delay, Scheduler timers, Runnable action) {
        try {
            return timers.schedule(action, delay);
        } catch (RejectedExecutionException closed) { // and so nothing is run any more
            return Disposable.disposed();
        }
    }

    /** Completes when the stream that it has run, or else those before, have let go of everything; asked when it has ended. */
    private synchronized CompletionStage<Done> released() {
        return begun ? released : beforeReleased;
    }

    BroadcastHubState<O> hub() {
        return hub;
    }

    /** Counts a consumer whose leaving matters; false when the session has ended. */
    public synchronized boolean joinCounted() {
        boolean isOpen = !isDisposed();
        countedConsumers += isOpen ? 1 : 0;
        return isOpen;
    }

    /** One that was counted has left. */
    void leaveCounted() {
        boolean last;
        synchronized (this) {
            countedConsumers--;
            last = countedConsumers == 0;
            ended |= last;
        }
        if (last) {
            hub.shutdown();
        }
    }

    /**
     * Connects once there have been so many consumers, of which this is one more.
     *
     * @param report tells the failure reporter why upstream cannot be made, and gives back what was thrown
     */
    void arrives(
            CompletionStage<Done> registration,
            int connectingCount,
            Function<? super StreamException, Throwable> report) {
        boolean isAwaited;
        boolean enough;
        synchronized (this) {
            consumerCount++;
            isAwaited = !connected;
            arriving += isAwaited ? 1 : 0;
            enough = consumerCount >= connectingCount;
        }
        if (isAwaited) {
            registration.whenComplete((done, failure) -> arrived(report));
        }
        if (enough) {
            connect();
        }
    }

    private void arrived(Function<? super StreamException, Throwable> report) {
        Executor begins;
        synchronized (this) {
            arriving--;
            begins = arriving == 0 ? contextOfStart : null;
            contextOfStart = begins == null ? contextOfStart : null;
        }
        if (begins != null) {
            begins.execute(() -> runUpstream(report));
        }
    }

    /** Runs upstream once the hub has the consumers that are on their way. */
    public void connect() {
        Executor context = contexts.get();
        boolean now;
        synchronized (this) {
            now = !connected && arriving == 0;
            contextOfStart = connected || now ? contextOfStart : expecting.apply(context);
            connected = true;
        }
        if (now) {
            runUpstream(SharedSession::causeOf);
        }
    }

    private static Throwable causeOf(StreamException notMade) {
        return notMade.getCause() == null ? notMade : notMade.getCause();
    }

    /** What it cannot be run for reaches the consumers; who connects has it thrown as well, as there may be none. */
    private void runUpstream(Function<? super StreamException, Throwable> causeOf) {
        if (!begins()) {
            return;
        }
        AtomicReference<@Nullable StageContext> sink = new AtomicReference<>();
        try {
            upstream.accept(new BroadcastHubStage<>(hub, sink::set));
        } catch (StreamException notMade) {
            hub.end(causeOf.apply(notMade));
            throw notMade;
        } catch (Throwable t) {
            hub.end(t);
            throw t;
        } finally {
            whenFinished(sink.get(), () -> released.complete(Done.DONE));
        }
    }

    private synchronized boolean begins() {
        begun = !isDisposed();
        return begun;
    }

    private static void whenFinished(@Nullable StageContext sink, Runnable action) {
        if (sink == null) {
            action.run(); // no stream has been made
        } else {
            sink.whenStreamFinished(action);
        }
    }

    @Override
    public void dispose() {
        Executor unused;
        synchronized (this) {
            ended = true;
            unused = contextOfStart;
            contextOfStart = null;
        }
        if (unused != null) {
            unused.execute(() -> {}); // upstream is expected no more
        }
        hub.shutdown();
    }

    @Override
    public synchronized boolean isDisposed() {
        return ended || hub.end() != null;
    }
}
