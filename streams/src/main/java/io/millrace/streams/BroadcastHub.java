package io.millrace.streams;

import io.millrace.streams.graph.Done;
import io.millrace.streams.graph.NotUsed;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends the elements of one stream to any number of consumers that come and go while it runs; all see the same elements
 * in the same order, and the slowest sets the pace unless it was told to give way ({@link LagPolicy}).
 *
 * <p>Run the sink once, then run {@link #source()} as often as you like, from any thread, in streams of their own.
 *
 * <p><b>Threads:</b> any asks for sources; the hub's island ends it; consumers' islands announce. <b>Shared:</b>
 * {@code end}, volatile, written by the hub once before it closes the arrivals; {@code leaves}, counted by
 * consumers that leave; core, ring, arrivals and consumers as said there. <b>States:</b> live -> ended. <b>Proved by:</b> BroadcastHubStressTest.
 */
public final class BroadcastHub<T> {
    private final HubRing<T> ring;
    private final HubArrivals<HubConsumer> arrivals = new HubArrivals<>();
    private final AtomicLong leaves = new AtomicLong();
    private final HubCore<T> core;
    private volatile @Nullable HubEnd end;

    BroadcastHub(BroadcastHubSettings settings, long firstPosition) {
        this.ring = new HubRing<>(settings.bufferSize(), firstPosition);
        this.core = new HubCore<>(ring, settings);
    }

    /** A sink whose every run is a hub of its own. */
    public static <T> Sink<T, BroadcastHub<T>> sink(BroadcastHubSettings settings) {
        return sink(settings, 0);
    }

    /** A sink whose every run is a hub with this buffer and otherwise the default settings. */
    public static <T> Sink<T, BroadcastHub<T>> sink(int bufferSize) {
        return sink(BroadcastHubSettings.defaults().withBufferSize(bufferSize));
    }

    static <T> Sink<T, BroadcastHub<T>> sink(BroadcastHubSettings settings, long firstPosition) {
        return Sink.fromGraph(new BroadcastHubStage<>(settings, firstPosition));
    }

    /** A source whose every run is a consumer with the default settings. */
    public Source<T, NotUsed> source() {
        return source(BroadcastConsumerSettings.defaults());
    }

    /** A source whose every run is a consumer. */
    public Source<T, NotUsed> source(BroadcastConsumerSettings settings) {
        return sourceWithRegistration(settings).mapMaterializedValue(registered -> NotUsed.NOT_USED);
    }

    /**
     * A source whose every run is a consumer and gives a future that completes once the hub has the consumer: from then
     * on every element that reaches the hub is delivered. It fails when the consumer ends before.
     */
    public Source<T, CompletionStage<Done>> sourceWithRegistration(BroadcastConsumerSettings settings) {
        return Source.fromGraph(new BroadcastHubSource<>(this, settings));
    }

    /** How many consumers the hub has, those it is about to admit or dismiss not yet considered. */
    public int consumerCount() {
        return core.consumers();
    }

    HubCore<T> core() {
        return core;
    }

    HubRing<T> ring() {
        return ring;
    }

    HubArrivals<HubConsumer> arrivals() {
        return arrivals;
    }

    @Nullable
    HubEnd end() {
        return end;
    }

    /** The number of one more consumer that leaves, by which the hub knows the last. */
    long nextLeave() {
        return leaves.incrementAndGet();
    }

    /** Brings a consumer with news to the hub; false when the hub has ended. */
    boolean arrive(HubConsumer consumer) {
        return arrivals.push(consumer);
    }

    void end(HubEnd how) {
        end = how;
    }
}
