package io.millrace.streams.hub.stage;

import io.millrace.streams.graph.Done;
import io.millrace.streams.schedule.Disposable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One run of a source that is shared: a hub, and upstream behind a gate that opens with the connection.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: all but the final fields: guarded by this.<br>
 * <b>States</b>: waiting -> connected by who connects; waiting or connected -> ended with upstream, by who disposes, or with
 * the last counted consumer.<br>
 * <b>Proved by</b>: SharingTest.
 */
public final class SharedSession<O> implements Disposable {
    private final CompletableFuture<Done> gate;
    private final BroadcastHubState<O> hub;
    private final List<CompletableFuture<?>> arriving = new ArrayList<>();
    private int consumerCount;
    private int countedConsumers;
    private boolean connected;
    private boolean ended;

    /** The session of a stream that ends in this hub and begins when {@code gate} is completed. */
    public SharedSession(CompletableFuture<Done> gate, BroadcastHubState<O> hub) {
        this.gate = gate;
        this.hub = hub;
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
    public void connect() {
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

    @Override
    public void dispose() {
        synchronized (this) {
            ended = true;
        }
        hub.shutdown();
    }

    @Override
    public synchronized boolean isDisposed() {
        return ended || hub.end() != null;
    }
}
