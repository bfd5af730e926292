package io.millrace.streams;

import io.millrace.streams.graph.NotUsed;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives each element of one stream to one of any number of consumers that come and go while it runs; a {@link Partitioner}
 * chooses which. What waits for a consumer that leaves is offered to the partitioner again, so nothing is lost; when the
 * stream has completed and elements are left without a consumer, the hub waits for the next one.
 *
 * <p>Run the sink once, then run {@link #source()} as often as you like, from any thread, in streams of their own.
 *
 * <p><b>Threads:</b> any asks for sources; consumers' islands arrive; the hub's island ends it. <b>Shared:</b>
 * {@code consumerCount}, {@code isSealed} (there is nothing left to give out and nothing more comes), {@code end}:
 * volatile, written by the hub, before it wakes the consumers. <b>States:</b> live -> sealed -> ended; sealed -> live when
 * a consumer leaves elements behind; live -> ended by failure. <b>Proved by:</b> PartitionHubStressTest.
 */
public final class PartitionHub<T> {
    private final PartitionHubSettings settings;
    private final HubArrivals<PartitionConsumer<T>> arrivals = new HubArrivals<>();
    private final AtomicLong nextConsumerId = new AtomicLong();
    private volatile int consumerCount;
    private volatile boolean isSealed;
    private volatile @Nullable End end;

    /** How the hub ended, for late consumers. */
    record End(@Nullable Throwable failure) {}

    PartitionHub(PartitionHubSettings settings) {
        this.settings = settings;
    }

    /** A sink whose every run is a hub of its own, with a partitioner of its own. */
    public static <T> Sink<T, PartitionHub<T>> sink(
            Supplier<? extends Partitioner<? super T>> partitioner, PartitionHubSettings settings) {
        return Sink.fromGraph(new PartitionHubStage<>(partitioner, settings));
    }

    /** A sink whose every run is a hub of its own with the default settings. */
    public static <T> Sink<T, PartitionHub<T>> sink(Supplier<? extends Partitioner<? super T>> partitioner) {
        return sink(partitioner, PartitionHubSettings.defaults());
    }

    /** A source whose every run is a consumer. */
    public Source<T, NotUsed> source() {
        return Source.fromGraph(new PartitionHubSource<>(this));
    }

    /** How many consumers the hub has, those it is about to admit or dismiss not yet considered. */
    public int consumerCount() {
        return consumerCount;
    }

    PartitionConsumer<T> newConsumer(Runnable wake) {
        return new PartitionConsumer<>(nextConsumerId.getAndIncrement(), settings.perConsumerBuffer(), wake);
    }

    PartitionHubSettings settings() {
        return settings;
    }

    HubArrivals<PartitionConsumer<T>> arrivals() {
        return arrivals;
    }

    void consumerCount(int count) {
        consumerCount = count;
    }

    boolean isSealed() {
        return isSealed;
    }

    void sealed(boolean value) {
        isSealed = value;
    }

    @Nullable
    End end() {
        return end;
    }

    /** Ends the hub for consumers to come and hands back those whose news were not taken in. */
    @Nullable
    PartitionConsumer<T> end(@Nullable Throwable failure) {
        end = new End(failure);
        return arrivals.close();
    }
}
