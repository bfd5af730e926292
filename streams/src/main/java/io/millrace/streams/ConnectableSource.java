package io.millrace.streams;

import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Materializer;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.hub.BroadcastConsumerSettings;
import io.millrace.streams.hub.BroadcastHubSettings;
import io.millrace.streams.hub.JoinPosition;
import io.millrace.streams.hub.stage.BroadcastHubState;
import io.millrace.streams.hub.stage.SharedSession;
import io.millrace.streams.hub.stage.SharedSource;
import io.millrace.streams.schedule.Disposable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A source that is run once for any number of consumers, behind a broadcast hub. Upstream begins when it is connected: what
 * comes from then on reaches every consumer that has been run before, and how it ends reaches all, late ones included. The
 * slowest consumer sets the pace; while there is none, upstream waits.
 *
 * <p><b>Threads</b>: any.<br>
 * <b>Owned</b>: nothing.<br>
 * <b>Shared</b>: {@code session}: guarded by this.<br>
 * <b>States</b>: no session -> a session, with the first consumer or connection; a session that has ended -> a new one with
 * the next connection, or the next consumer of {@link #refCount}.<br>
 * <b>Proved by</b>: SharingTest.
 */
public final class ConnectableSource<O> {
    private static final int NEVER = Integer.MAX_VALUE;

    private final Source<O, ?> upstream;
    private final Materializer runtime;
    private final BroadcastHubSettings hubSettings;
    private final BroadcastConsumerSettings consumerSettings;
    private @Nullable SharedSession<O> session;

    ConnectableSource(
            Source<O, ?> upstream, Materializer runtime, BroadcastHubSettings hubSettings, JoinPosition position) {
        this.upstream = upstream;
        this.runtime = Objects.requireNonNull(runtime, "runtime");
        this.hubSettings = hubSettings;
        consumerSettings = BroadcastConsumerSettings.defaults().withJoinPosition(position);
    }

    /** Each run of it is one more consumer; none of them begins upstream. */
    public Source<O, NotUsed> source() {
        return Source.fromGraph(consumer(NEVER, false));
    }

    /** Each run of it is one more consumer; the one that makes them so many, at least 1, begins upstream. */
    public Source<O, NotUsed> autoConnect(int consumerCount) {
        if (consumerCount < 1) {
            throw new IllegalArgumentException("consumerCount must be at least 1, not " + consumerCount);
        }
        return Source.fromGraph(consumer(consumerCount, false));
    }

    /**
     * Each run of it is one more consumer; the first begins upstream, the last that leaves cancels it, and the next one
     * after that, or after the end of upstream, begins it anew, once it has let go of everything, or after five seconds.
     */
    public Source<O, NotUsed> refCount() {
        return Source.fromGraph(consumer(1, true));
    }

    /**
     * Begins upstream, once the consumers that have been run before are there to see its first element, and an upstream that was before
     * has let go of everything, or five seconds are over; does nothing when it has begun and not ended. Disposing what it gives back cancels upstream and completes the consumers.
     *
     * @throws IllegalStateException when the runtime is closed
     * @throws StreamException when upstream cannot be run; while one of the two is waited for, consumers alone are told of either
     */
    public Disposable connect() {
        SharedSession<O> current = unended();
        current.connect(); // which runs what is the user's: not under the lock
        return current;
    }

    private synchronized SharedSession<O> unended() {
        SharedSession<O> current = session;
        return current == null || current.isDisposed() ? newSession() : current;
    }

    private SharedSource<O> consumer(int connectingCount, boolean counted) {
        return new SharedSource<>(() -> join(counted), consumerSettings, connectingCount, counted);
    }

    /** The session of one more consumer. */
    private synchronized SharedSession<O> join(boolean counted) {
        SharedSession<O> current = session;
        if (current == null || (counted && !current.joinCounted())) {
            current = newSession();
            if (counted) {
                current.joinCounted();
            }
        }
        return current;
    }

    private SharedSession<O> newSession() {
        if (runtime.isClosed()) {
            throw new IllegalStateException("the shared source was not run: its runtime is closed");
        }
        SharedSession<O> made = new SharedSession<>(
                new BroadcastHubState<>(hubSettings, 0),
                () -> StreamRuntime.contextOfThisThread(runtime),
                context -> StreamRuntime.expectingStream(runtime, context),
                sink -> upstream.runWith(Sink.fromGraph(sink), runtime));
        if (session != null) {
            made.follow(session, runtime.scheduler(), StreamRuntime.reporter(runtime));
        }
        session = made;
        return made;
    }
}
