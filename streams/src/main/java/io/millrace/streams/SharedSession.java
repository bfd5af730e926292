package io.millrace.streams;

import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.schedule.Disposable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One run of a {@link ConnectableSource}: a hub, and upstream behind a gate that opens with the connection.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: all but the final fields: guarded by this.<br>
 * <b>States</b>: waiting -> connected by who connects; waiting or connected -> ended with upstream, by who disposes, or with
 * the last counted consumer.<br>
 * <b>Proved by</b>: SharingTest.
 */
final class SharedSession<O> implements Disposable {
    private final CompletableFuture<Done> gate;
    private final UniqueKillSwitch end;
    private final BroadcastHub<O> hub;
    private final List<CompletableFuture<?>> arriving = new ArrayList<>();
    private int consumerCount;
    private int countedConsumers;
    private boolean connected;
    private boolean ended;

    private SharedSession(CompletableFuture<Done> gate, UniqueKillSwitch end, BroadcastHub<O> hub) {
        this.gate = gate;
        this.end = end;
        this.hub = hub;
    }

    /** How the stream behind a hub is stopped, and that it has stopped. */
    private record Handle(UniqueKillSwitch end, CompletionStage<Done> ended) {}

    static <O> SharedSession<O> begin(Source<O, ?> upstream, StreamRuntime runtime, BroadcastHubSettings settings) {
        CompletableFuture<Done> gate = new CompletableFuture<>();
        Pair<Handle, BroadcastHub<O>> running = Source.<Done>fromCompletionStage(gate)
                .<O>flatMapConcat(open -> upstream)
                .viaMat(KillSwitches.<O>single(), Keep.right())
                .watchTermination(Handle::new)
                .toMat(BroadcastHub.<O>sink(settings), Keep.<Handle, BroadcastHub<O>>both())
                .run(runtime);
        SharedSession<O> session = new SharedSession<>(gate, running.first().end(), running.second());
        running.first().ended().whenComplete((done, failure) -> session.ended());
        return session;
    }

    BroadcastHub<O> hub() {
        return hub;
    }

    /** Counts a consumer whose leaving matters; false when the session has ended. */
    synchronized boolean joinCounted() {
        if (!ended) {
            countedConsumers++;
        }
        return !ended;
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
            end.shutdown();
        }
    }

    /** Connects once there have been so many consumers, of which this is one more. */
    void arrives(CompletionStage<Done> registration, int connectingCount) {
        boolean enough;
        synchronized (this) {
            consumerCount++;
            if (!connected) {
                arriving.add(registration.toCompletableFuture());
            }
            enough = consumerCount >= connectingCount;
        }
        if (enough) {
            connect();
        }
    }

    /** Opens the gate when the hub has the consumers that are on their way. */
    void connect() {
        CompletableFuture<?>[] awaited;
        synchronized (this) {
            if (connected) {
                return;
            }
            connected = true;
            awaited = arriving.toArray(CompletableFuture<?>[]::new);
            arriving.clear();
        }
        CompletionStage<Void> arrived = CompletableFuture.allOf(awaited);
        arrived.whenComplete((done, failure) -> gate.complete(Done.DONE));
    }

    private synchronized void ended() {
        ended = true;
    }

    @Override
    public void dispose() {
        ended();
        end.shutdown();
    }

    @Override
    public synchronized boolean isDisposed() {
        return ended;
    }
}
